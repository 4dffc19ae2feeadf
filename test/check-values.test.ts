import { describe, expect, it } from 'vitest';
import { CHECKS, createGuard, type Finding } from '../src/index.ts';
import { soundCard } from './support/cards.ts';
import { MESSAGE, TASK, VALUE_ROWS } from './support/value-rows.ts';

type Direction = 'outgoing' | 'incoming';

const guard = createGuard();
const check = (definition: string, value: unknown, direction?: Direction): readonly Finding[] =>
  guard.check(`#/$defs/${definition}`, value, direction === undefined ? {} : { direction });

describe('what is wrong with a value has an id, a path and a keyword', () => {
  for (const direction of ['outgoing', 'incoming'] as const) {
    it.each(VALUE_ROWS.map((row) => [row.name, row] as const))(
      `${direction}: %s`,
      (_name, { input: [definition, value], want }) => {
        const findings = check(definition, value, direction);
        const shown = want[direction];
        const finding = findings.find(({ id, path }) => id === want.id && path === want.path);
        if (shown === 'none') expect(findings).toEqual([]);
        else
          expect(finding).toMatchObject({
            layer: 'traffic',
            severity: shown,
            keyword: want.keyword,
            hint: expect.any(String),
          });
        const errors = findings.filter(({ severity }) => severity === 'error');
        expect(errors.map(({ id }) => id)).toEqual(shown === 'error' ? expect.arrayContaining([want.id]) : []);
      },
    );
  }

  it('judges as outgoing unless told otherwise', () => {
    const value = { ...TASK, mood: 'good' };
    expect(check('Task', value)).toEqual(check('Task', value, 'outgoing'));
  });

  it('value-range: a number outside the range that an operation allows', async () => {
    const agent = await guard.agent(soundCard());
    const rows = [
      ['ListTasks', { pageSize: 0 }, '/pageSize'],
      ['ListTasks', { pageSize: 101 }, '/pageSize'],
      ['GetTask', { id: 't-1', historyLength: -1 }, '/historyLength'],
      [
        'SendMessage',
        { message: { ...MESSAGE, role: 'ROLE_USER' }, configuration: { historyLength: -1 } },
        '/configuration/historyLength',
      ],
    ] as const;
    for (const [operation, params, path] of rows) {
      expect(agent.admit(operation, params).findings).toMatchObject([
        { id: 'value-range', path, keyword: 'minimum', severity: 'error' },
      ]);
    }
    expect(agent.admit('ListTasks', { pageSize: 100, historyLength: 0 }).ok).toBe(true);
  });

  it('every value-* check has a row', () => {
    const ids = CHECKS.map(({ id }) => id as string).filter((id) => id.startsWith('value-'));
    const rows = new Set<string>([...VALUE_ROWS.map((row) => row.want.id), 'value-range']);
    expect(ids.filter((id) => !rows.has(id))).toEqual([]);
  });
});
