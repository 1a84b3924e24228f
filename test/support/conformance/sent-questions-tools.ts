/** Fixture tools that send the client a request, as the older protocol has it. */
import { answer, words } from './content.ts';
import type { FixtureCall, FixtureTool } from './fixture-tool.ts';

const text = (name: string) => ({
  type: 'object' as const,
  properties: { [name]: { type: 'string' } },
  required: [name],
});

const titled = (...pairs: readonly (readonly [value: string, title: string])[]) =>
  pairs.map(([value, title]) => ({ const: value, title }));

const OPTIONS = ['option1', 'option2', 'option3'];
const CHOICES = titled(['value1', 'First'], ['value2', 'Second'], ['value3', 'Third']);

export const SENT_QUESTIONS_TOOLS: readonly FixtureTool[] = [
  {
    name: 'test_sampling',
    description: 'Asks the client’s model.',
    inputSchema: text('prompt'),
    run: async ({ args, context: { mcpReq } }) => {
      const { content } = await mcpReq.send({
        method: 'sampling/createMessage',
        params: {
          messages: [{ role: 'user', content: words(String(args.prompt)) }],
          maxTokens: 100,
        },
      });
      return answer(words(`The model said: ${JSON.stringify(content)}`));
    },
  },
  {
    name: 'test_elicitation',
    description: 'Asks the user who he is.',
    inputSchema: text('message'),
    run: (call) =>
      asked(call, String(call.args.message), {
        username: { type: 'string', description: 'Name' },
        email: { type: 'string', description: 'Address' },
      }),
  },
  {
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks with a default of each type.',
    run: (call) =>
      asked(call, 'Are these right?', {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
  },
  {
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks with each kind of choice.',
    run: (call) =>
      asked(call, 'Which ones?', {
        untitledSingle: { type: 'string', enum: OPTIONS },
        titledSingle: { type: 'string', oneOf: CHOICES },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
        titledMulti: { type: 'array', items: { anyOf: CHOICES } },
      }),
  },
];

async function asked({ context: { mcpReq } }: FixtureCall, message: string, properties: object) {
  const requestedSchema = { type: 'object', properties, required: Object.keys(properties) };
  const { action, content } = await mcpReq.send({
    method: 'elicitation/create',
    params: { message, requestedSchema },
  });
  return answer(words(`The user said: ${action} ${JSON.stringify(content)}`));
}
