/** The resources and prompts that scenarios of the conformance suite ask for. */
import {
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  type PromptMessage,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { embedded, IMAGE, words } from './content.ts';
import { askForText } from './questions.ts';

const TEXT = 'test://static-text';
const BINARY = 'test://static-binary';
const TEMPLATED = /^test:\/\/template\/([^/]+)\/data$/;

export const RESOURCES: readonly Resource[] = [
  { uri: TEXT, name: 'static text', description: 'A text.', mimeType: 'text/plain' },
  { uri: BINARY, name: 'static image', description: 'An image.', mimeType: IMAGE.mimeType },
  { uri: 'test://watched-resource', name: 'watched', description: 'Can be watched.', mimeType: 'text/plain' },
];

export const TEMPLATES = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'by id',
    description: 'Data of an id.',
    mimeType: 'application/json',
  },
];

export function readFixture(uri: string): ReadResourceResult {
  if (uri === TEXT) return { contents: [{ uri, mimeType: 'text/plain', text: 'A static text.' }] };
  if (uri === BINARY) return { contents: [{ uri, mimeType: IMAGE.mimeType, blob: IMAGE.data }] };
  const id = TEMPLATED.exec(uri)?.[1];
  if (id === undefined) throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id }) }] };
}

interface FixturePrompt extends Prompt {
  readonly messages: (args: Readonly<Record<string, string>>) => readonly PromptMessage['content'][];
}

const argument = (name: string) => ({ name, description: `The ${name}.`, required: true });

const PROMPTS: readonly FixturePrompt[] = [
  { name: 'test_simple_prompt', description: 'One message.', messages: () => [words('A simple prompt.')] },
  {
    name: 'test_prompt_with_arguments',
    description: 'Repeats its arguments.',
    arguments: [argument('arg1'), argument('arg2')],
    messages: ({ arg1, arg2 }) => [words(`arg1 is ${arg1}, arg2 is ${arg2}`)],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'Brings a resource along.',
    arguments: [argument('resourceUri')],
    messages: ({ resourceUri = '' }) => [
      embedded(resourceUri, 'text/plain', 'The text of the resource.'),
      words('Read the resource above.'),
    ],
  },
  {
    name: 'test_prompt_with_image',
    description: 'Brings an image along.',
    messages: () => [IMAGE, words('Look at the image above.')],
  },
];

const ASKING: Prompt = {
  name: 'test_input_required_result_prompt',
  description: 'Asks for a context first.',
};

export const LISTED_PROMPTS: readonly Prompt[] = [
  ...PROMPTS.map(({ messages: _, ...prompt }) => prompt),
  ASKING,
];

export function getFixture(
  name: string,
  args: Readonly<Record<string, string>>,
  { mcpReq }: ServerContext,
): GetPromptResult | InputRequiredResult {
  if (name === ASKING.name) {
    const asked = askForText(mcpReq, 'user_context', 'context', 'Which context?');
    return 'answer' in asked ? said([words(asked.answer)]) : asked.question;
  }
  const prompt = PROMPTS.find((each) => each.name === name);
  if (!prompt) throw new Error(`there is no prompt ${name}`);
  return said(prompt.messages(args));
}

function said(contents: readonly PromptMessage['content'][]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}
