import { type AlterTableCmd, type ColumnDef, type Constraint, type Node, parse, type RangeVar } from 'libpg-query';

/**
 * What processes of the version before bear while a migration runs and after it: while a release is rolled out they work on the new
 * tables. It is a list of what may be done, so whatever nobody has thought about is refused.
 *
 * @param text - The file's SQL.
 * @returns Sentences, none when it may run beside them.
 */
export const migrationErrors = async (text: string): Promise<string[]> => {
  const { stmts = [] } = await parse(text);
  const statements = stmts.flatMap(({ stmt }) => (stmt === undefined ? [] : [stmt]));
  const own = new Set(statements.map(tableMadeBy).filter((name) => name !== null));
  const isAlone = statements.length === 1;
  const errors = statements.flatMap((statement) => errorsOf(statement, { own, isAlone }));
  const locks = statements.some((one) => 'AlterTableStmt' in one && !own.has(nameIn(one.AlterTableStmt.relation)));
  if (locks && statements.some((one) => 'InsertStmt' in one || 'UpdateStmt' in one || 'DeleteStmt' in one))
    errors.push('rows are written while everybody waits for a table that is altered: make it two files');
  return errors;
};

interface Surroundings {
  /** Tables that the same file makes: no other process knows them, so anything may be done to them. */
  own: ReadonlySet<string>;
  isAlone: boolean;
}

const errorsOf = (statement: Node, { own, isAlone }: Surroundings): string[] => {
  if ('CreateStmt' in statement) {
    const { relation, if_not_exists = false, tableElts = [] } = statement.CreateStmt;
    const table = relation?.relname ?? '';
    if (if_not_exists) return [`${table} may be there already, and be another: leave out "if not exists"`];
    if (!own.has(table)) return [`${table} is not a table of ours: leave out its schema, and "temporary"`];
    const held = foreignErrors(constraintsIn(tableElts), own);
    if (held.length > 0) return held;
    const wholes = statement.CreateStmt.inhRelations?.flatMap((parent) => nameOf(parent) ?? []) ?? [];
    return wholes
      .filter((name) => !own.has(name))
      .map((name) => `a part is added to ${name}, and everybody waits for it`);
  }
  if ('IndexStmt' in statement) {
    const { relation, concurrent = false, unique = false, if_not_exists = false, idxname } = statement.IndexStmt;
    if (own.has(nameIn(relation))) return [];
    if (!idxname) return [`an index of ${relation?.relname} has no name, so what is left of an attempt is not found`];
    if (if_not_exists) return [`${idxname} may be there and be unfinished: leave out "if not exists"`];
    if (unique) return [`${idxname} may refuse what processes of before write`];
    if (!concurrent) return [`${idxname} keeps writers of ${relation?.relname} waiting: make it concurrently`];
    return isAlone ? [] : [`${idxname} is made concurrently, which only a file with no other statement can do`];
  }
  if ('AlterTableStmt' in statement) {
    const { relation, cmds = [] } = statement.AlterTableStmt;
    const table = nameIn(relation);
    const added = cmds.flatMap((each) => ('AlterTableCmd' in each ? (each.AlterTableCmd.def ?? []) : []));
    if (own.has(table)) return foreignErrors(constraintsIn(added), own);
    return cmds.flatMap((each) => ('AlterTableCmd' in each ? alterationErrors(table, each.AlterTableCmd) : []));
  }
  if ('InsertStmt' in statement) return rowErrors(statement.InsertStmt, own);
  if ('UpdateStmt' in statement) return rowErrors(statement.UpdateStmt, own);
  if ('DeleteStmt' in statement) return rowErrors(statement.DeleteStmt, own);
  if ('CreateFunctionStmt' in statement)
    return statement.CreateFunctionStmt.replace ? ['a function is replaced that processes of before call'] : [];
  // Its rights, settings and costs; what it does stays.
  if ('AlterFunctionStmt' in statement) return [];
  if ('CommentStmt' in statement || 'CreateSeqStmt' in statement || 'CreateEnumStmt' in statement) return [];
  if ('RenameStmt' in statement) {
    const table = nameIn(statement.RenameStmt.relation);
    return own.has(table) ? [] : [`${table} is renamed, or a part of it, and processes of before name it`];
  }
  if ('DropStmt' in statement) return ['something is dropped that processes of before use'];
  if ('DoStmt' in statement) return ['a block of code is in it, which this check cannot read'];
  return [`${Object.keys(statement)[0]} is nothing that is known to be borne`];
};

const rowErrors = (
  { relation, withClause }: { relation?: RangeVar; withClause?: unknown },
  own: ReadonlySet<string>,
) => {
  const table = nameIn(relation);
  if (/"(Insert|Update|Delete|Merge)Stmt"/.test(JSON.stringify(withClause ?? {})))
    return ['rows change in a part of a statement, which this check does not follow'];
  return own.has(table) ? [] : [`rows of ${table} change, which processes of before read and write`];
};

/** What refers to a row that processes of before delete must go with it, else they are refused. */
const foreignErrors = (constraints: readonly Constraint[], own: ReadonlySet<string>): string[] =>
  constraints.flatMap(({ contype, pktable, fk_del_action = 'a' }) =>
    contype === 'CONSTR_FOREIGN' && !own.has(nameIn(pktable)) && !['c', 'n', 'd'].includes(fk_del_action)
      ? [`rows of ${nameIn(pktable)} cannot be deleted any more by processes of before: say "on delete cascade"`]
      : [],
  );

const alterationErrors = (table: string, { subtype, name, def }: AlterTableCmd): string[] => {
  const what = `${table}.${name}`;
  switch (subtype) {
    case 'AT_AddColumn':
      return def !== undefined && 'ColumnDef' in def ? columnErrors(table, def.ColumnDef) : [];
    case 'AT_ColumnDefault':
      return def === undefined ? [`${what} loses its default, which processes of before rely on`] : [];
    case 'AT_ValidateConstraint':
    case 'AT_SetStatistics':
    case 'AT_SetRelOptions':
      return [];
    case 'AT_AddConstraint':
      return [`a constraint on ${table} may refuse what processes of before write`];
    case 'AT_SetNotNull':
      return [`${what} must not be null any more, and processes of before may write null`];
    case 'AT_DropNotNull':
      return [`${what} may be null, and processes of before may not expect it`];
    case 'AT_DropColumn':
      return [`${what} is dropped, and processes of before name it`];
    case 'AT_AlterColumnType':
      return [`${what} gets another type, for which the whole table is written anew`];
    default:
      return [`${subtype} of ${table} is nothing that is known to be borne`];
  }
};

/** A new column of a table that is there: absent in what processes of before write, and made without touching a row. */
const columnErrors = (table: string, column: ColumnDef): string[] => {
  const what = `${table}.${column.colname}`;
  const all = constraintsOf(column);
  const type = (column.typeName?.names ?? []).flatMap((each) => ('String' in each ? (each.String.sval ?? '') : []));
  if (type[0] !== 'pg_catalog' && !plainTypes.has(type.join('.')))
    return [`${what} is of the type ${type.join('.')}, which may bring a default or a constraint`];
  const fallback = all.find(({ contype }) => contype === 'CONSTR_DEFAULT')?.raw_expr;
  return all.flatMap(({ contype }) => {
    switch (contype) {
      case 'CONSTR_NULL':
        return [];
      case 'CONSTR_NOTNULL':
        return fallback === undefined ? [`${what} has no default, and processes of before do not write it`] : [];
      case 'CONSTR_DEFAULT':
        return fallback !== undefined && isConstant(fallback)
          ? []
          : [`the default of ${what} is no constant, so every row may be written anew`];
      default:
        return [`${what} has a constraint, for which the whole table is read while everybody waits`];
    }
  });
};

/** Beside those that the parser calls by PostgreSQL's own names. */
const plainTypes = new Set(['bytea', 'date', 'jsonb', 'text', 'timestamptz', 'uuid']);

const constraintsOf = ({ constraints = [] }: ColumnDef): Constraint[] =>
  constraints.flatMap((each) => ('Constraint' in each ? [each.Constraint] : []));

const constraintsIn = (parts: readonly Node[]): Constraint[] =>
  parts.flatMap((each) => {
    if ('Constraint' in each) return [each.Constraint];
    return 'ColumnDef' in each ? constraintsOf(each.ColumnDef) : [];
  });

/** `now()` is a constant too: it is asked once for all rows that are there. */
const isConstant = (value: Node): boolean => {
  if ('A_Const' in value) return true;
  if ('TypeCast' in value) return value.TypeCast.arg !== undefined && isConstant(value.TypeCast.arg);
  if ('A_ArrayExpr' in value) return value.A_ArrayExpr.elements?.every(isConstant) ?? true;
  if ('FuncCall' in value) return JSON.stringify(value.FuncCall.funcname) === '[{"String":{"sval":"now"}}]';
  return false;
};

/** One that may be there already, or lies elsewhere, is none. */
const tableMadeBy = (statement: Node): string | null => {
  if (!('CreateStmt' in statement)) return null;
  const { relation, if_not_exists = false } = statement.CreateStmt;
  return if_not_exists || relation?.relpersistence === 't' || relation?.schemaname ? null : nameIn(relation);
};

/** With its schema, where it has one: a table of ours has none. */
const nameIn = (relation: RangeVar | undefined): string =>
  [relation?.schemaname, relation?.relname].filter(Boolean).join('.');

const nameOf = (node: Node): string | undefined => ('RangeVar' in node ? node.RangeVar.relname : undefined);

/** Number of the first file that the rule holds for: those before it were written without it. */
const firstRuled = '0014';

/**
 * Files that processes of the version before do not bear, each with the reason why it is done all the same. Every one of them is in
 * CHANGELOG.md, by its name, with what an operator has to stop first.
 */
export const stopFirst: Readonly<Record<string, string>> = {
  '0027_feeds.sql':
    'Each tally learns in whose hub it is, and an index is made anew: what a process of before adds would be missing among the best of a hub.',
  '0028_order_of_the_best.sql':
    'Lists of the best get an order of their own, which a process of before neither writes nor reads: its lists would be read without an index.',
  '0033_no_budget_days.sql': 'Signers count budgets in the signing log; a signer of before counts them in this table.',
  '0041_token_search_kept.sql':
    'Triggers keep what tokens are found by, also for what a process of before writes; it is borne, which the check cannot see.',
  '0045_search_indexes_of_before.sql':
    'Searches go along another table; a process of before would read every token where it went along these indexes.',
};

/**
 * Sentences about all migrations: what old processes do not bear and nobody was told, and reasons that nothing needs any more.
 *
 * @param files - Of the folder `all`: name and SQL.
 */
export const allMigrationErrors = async (
  files: readonly { name: string; text: string }[],
  changelog: string,
  reasons: Readonly<Record<string, string>> = stopFirst,
): Promise<string[]> => {
  const ruled = files.filter(({ name }) => name >= firstRuled);
  const errors: string[] = [];
  for (const { name, text } of ruled) {
    const found = await migrationErrors(text).catch(({ message }: Error) => [message]);
    if (!Object.hasOwn(reasons, name)) errors.push(...found.map((error) => `${name}: ${error}`));
    else if (found.length === 0) errors.push(`${name}: has a reason in scripts/migrations.ts that it does not need`);
    else if (!changelog.includes(`all/${name}`))
      errors.push(`${name}: CHANGELOG.md does not say that processes have to be stopped for all/${name}`);
  }
  const names = new Set(ruled.map(({ name }) => name));
  for (const name of Object.keys(reasons)) if (!names.has(name)) errors.push(`${name}: there is no such migration`);
  return errors;
};
