import { describe, expect, it } from 'vitest';
import { remembered } from '../src/remembered.ts';

describe('what is remembered by its text', () => {
  const counting = (): { make: (text: string) => { text: string }; made: string[] } => {
    const made: string[] = [];
    return { made, make: remembered((text) => ({ text: made[made.push(text) - 1] ?? '' })) };
  };

  it('is made once, and is the same object again', () => {
    const { make, made } = counting();
    expect(make('a')).toBe(make('a'));
    expect([make('b').text, made]).toEqual(['b', ['a', 'b']]);
  });

  it('is forgotten when a thousand others came since', () => {
    const { make, made } = counting();
    for (let at = 0; at <= 1000; at += 1) make(`t-${at}`);
    made.length = 0;
    make('t-1000');
    expect(made).toEqual([]);
    make('t-0');
    expect(made).toEqual(['t-0']);
  });

  it('is not kept for a text that is very long', () => {
    const { make, made } = counting();
    const long = 'x'.repeat(2049);
    expect(make(long)).not.toBe(make(long));
    expect(made).toHaveLength(2);
  });

  it('is nothing where it could not be made', () => {
    let calls = 0;
    const make = remembered((text) => {
      calls += 1;
      return new URL(text);
    });
    expect(() => make('no url')).toThrow(TypeError);
    expect(() => make('no url')).toThrow(TypeError);
    expect(calls).toBe(2);
  });
});
