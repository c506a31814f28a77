/** What a stranger may call a token and say of it. Each begins a script if it is ever more than text. */
export interface Planted {
  name: string;
  symbol: string;
  description: string;
  website: string;
  tag: string;
}

const run = 'window.hit=1';

const vectors = [
  `<script>${run}</script>`,
  `</script><script>${run}</script>`,
  `"><script>${run}</script>`,
  `'><img src=x onerror=${run}>`,
  `<img src=x onerror=${run}>`,
  `<svg onload=${run}>`,
  `<svg><script>${run}</script>`,
  `<body onload=${run}>`,
  `<iframe src=javascript:${run}>`,
  `<a href=javascript:${run}>x</a>`,
  `javascript:${run}//`,
  `<style>@import'//x.example'</style>`,
  `<!--<script>${run}</script>-->`,
  `<!--><script>${run}`,
  `<title></title><script>${run}`,
  `</title><script>${run}`,
  `<math><mi xlink:href=data:x>`,
  `<template><script>${run}`,
  `<noscript><img src=x>`,
  `</noscript><script>${run}`,
  `<textarea></textarea><img src=x onerror=${run}>`,
  `<video><source onerror=${run}>`,
  `<details open ontoggle=${run}>`,
  `<input autofocus onfocus=${run}>`,
  `<marquee onstart=${run}>`,
  `<form action=javascript:${run}>`,
  `<base href=//x.example>`,
  `<link rel=import href=//x.example>`,
  `<meta http-equiv=refresh content=0>`,
  `<object data=javascript:${run}>`,
  `<embed src=javascript:${run}>`,
  `\\u003cscript>${run}\\u003c/script>`,
  `&lt;script&gt;${run}&lt;/script&gt;`,
  `{{constructor.constructor('${run}')()}}`,
  `\${${run}}`,
  `%3Cscript%3E${run}%3C/script%3E`,
  `__proto__`,
  `" autofocus onfocus=${run} x="`,
  `' style=background:url(//x.example) '`,
  `\u2028<script>${run}</script>`,
];

const cut = (text: string, most: number): string => [...text].slice(0, most).join('').trim();

export const planted: readonly Planted[] = vectors.map((vector, at) => ({
  // A number tells them apart where the beginnings are the same.
  name: `${cut(vector.replace(/[\u2028\u2029]/g, ''), 29)} ${at}`,
  symbol: cut(vector.replace(/[\u2028\u2029]/g, ''), 10),
  description: `${vector} ${vectors.join(' ').slice(0, 900 - vector.length)}`,
  website: `https://x.example/${encodeURI(vector)}`,
  tag: cut(vector, 32),
}));
