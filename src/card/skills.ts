import type { Fault } from '../ticket.ts';
import type { CardFacts } from './facts.ts';
import { type Json, readText } from './read.ts';
import { checkSkillRequired } from './required.ts';

/** Members that make a skill look like an MCP tool. */
const TOOL_SHAPE = ['inputSchema', 'input_schema', 'parameters'];

/** Every skill has what it needs, an id of its own, and no parameter schema. */
export function checkSkills({ shaped, skills }: CardFacts): Fault[] {
  const seen = new Set<string>();
  const faults: Fault[] = [];
  for (const { item: skill, path } of skills) {
    if (!shaped) faults.push(...checkSkillRequired(skill, path), ...checkToolShape(skill, path));
    const id = readText('AgentSkill', skill, 'id')?.trim();
    if (id !== undefined && id !== '') {
      if (seen.has(id)) {
        const message = `${path.slice(1)} has the id of an earlier skill; a caller could not name either.`;
        faults.push({ id: 'skills-id-unique', path: `${path}/id`, message });
      }
      seen.add(id);
    }
  }
  return faults;
}

function checkToolShape(skill: Json, path: string): Fault[] {
  return TOOL_SHAPE.filter((name) => Object.hasOwn(skill, name)).map((key) => {
    const message = `${path.slice(1)} has ${key}, which is the shape of an MCP tool; an A2A skill takes messages.`;
    return { id: 'no-skill-inputSchema', path: `${path}/${key}`, message };
  });
}
