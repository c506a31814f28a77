import type { ISeriesPrimitive, SeriesAttachedParameter, UTCTimestamp } from 'lightweight-charts';
import * as t from '../../messages/en/chart.ts';

interface Look {
  /** Unix seconds; null: it has not graduated. */
  time: number | null;
  color: string;
  text: string;
}

/** A thin upright line where the curve ends and the pool begins, with its word. */
export const poolLine = (): { primitive: ISeriesPrimitive; set(look: Partial<Look>): void } => {
  let look: Look = { time: null, color: '', text: '' };
  let attached: SeriesAttachedParameter | null = null;
  const view = {
    renderer: () => ({
      draw: (target: Parameters<NonNullable<ReturnType<PaneView['renderer']>>['draw']>[0]) => {
        const { time, color, text } = look;
        const x = time === null ? null : (attached?.chart.timeScale().timeToCoordinate(time as UTCTimestamp) ?? null);
        if (x === null) return;
        target.useMediaCoordinateSpace(({ context, mediaSize }) => {
          context.strokeStyle = color;
          context.lineWidth = 1;
          context.beginPath();
          context.moveTo(Math.round(x) + 0.5, 0);
          context.lineTo(Math.round(x) + 0.5, mediaSize.height);
          context.stroke();
          context.fillStyle = text;
          context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
          const isNearEdge = x > mediaSize.width - 40;
          context.textAlign = isNearEdge ? 'right' : 'left';
          context.fillText(t.chart.pool, x + (isNearEdge ? -6 : 6), 14);
        });
      },
    }),
  };
  return {
    primitive: {
      attached: (given) => {
        attached = given;
      },
      detached: () => {
        attached = null;
      },
      paneViews: () => [view],
    },
    set: (next) => {
      look = { ...look, ...next };
      attached?.requestUpdate();
    },
  };
};

type PaneView = NonNullable<ReturnType<NonNullable<ISeriesPrimitive['paneViews']>>>[number];
