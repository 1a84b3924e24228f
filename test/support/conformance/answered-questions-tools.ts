/** Fixture tools that answer with a question, as the newer protocol has it. */
import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server';
import { fieldOf } from '../../../src/shared/base/unknown-value.ts';
import { answer, words } from './content.ts';
import type { FixtureCall, FixtureTool } from './fixture-tool.ts';
import {
  ask,
  askForText,
  CONFIRMATION,
  form,
  hasAnswers,
  ROOTS,
  sampling,
  seal,
  unsealed,
} from './questions.ts';

const OF_RESULTS = 'test_input_required_result_';

export const ANSWERED_QUESTIONS_TOOLS: readonly FixtureTool[] = [
  {
    name: `${OF_RESULTS}elicitation`,
    description: 'Asks for a name.',
    run: ({ context }) => {
      const asked = askForText(context.mcpReq, 'user_name', 'name', 'What is your name?');
      return 'answer' in asked ? answer(words(`Hello, ${asked.answer}!`)) : asked.question;
    },
  },
  {
    name: 'test_streaming_elicitation',
    description: 'Asks for a name.',
    run: ({ context }) => {
      const asked = askForText(context.mcpReq, 'user_name', 'name', 'What is your name?');
      return 'answer' in asked ? answer(words(`Hello, ${asked.answer}!`)) : asked.question;
    },
  },
  {
    name: `${OF_RESULTS}sampling`,
    description: 'Asks the client’s model.',
    run: (call) => until(call, { capital_question: sampling('What is the capital of France?') }),
  },
  {
    name: `${OF_RESULTS}list_roots`,
    description: 'Asks for the roots.',
    run: (call) => until(call, { client_roots: ROOTS }),
  },
  {
    name: `${OF_RESULTS}request_state`,
    description: 'Asks, and wants its state back.',
    run: (call) => withState(call, { confirm: CONFIRMATION }),
  },
  {
    name: `${OF_RESULTS}tampered_state`,
    description: 'Asks, and refuses a state that is another.',
    run: (call) => withState(call, { confirm: CONFIRMATION }),
  },
  {
    name: `${OF_RESULTS}multiple_inputs`,
    description: 'Asks three things at once.',
    run: (call) =>
      withState(call, {
        user_name: form('What is your name?', 'name'),
        greeting: sampling('Generate a greeting'),
        client_roots: ROOTS,
      }),
  },
  {
    name: `${OF_RESULTS}multi_round`,
    description: 'Asks twice.',
    run: async ({ context }) => {
      const { mcpReq } = context;
      const state = await unsealed(context);
      if (state === 'second' && hasAnswers(mcpReq, ['step2'])) return answer(words('Both are known.'));
      if (state !== undefined && hasAnswers(mcpReq, ['step1']))
        return ask({ step2: form('What is your favorite color?', 'color') }, await seal('second'));
      return ask({ step1: form('What is your name?', 'name') }, await seal('first'));
    },
  },
  {
    name: `${OF_RESULTS}capabilities`,
    description: 'Asks what the client can answer.',
    run: ({ context: { mcpReq } }) => {
      const capabilities = fieldOf(mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY);
      const canDo = (name: string) => fieldOf(capabilities, name) !== undefined;
      return ask({
        ...(canDo('sampling') ? { greeting: sampling('Generate a greeting') } : {}),
        ...(canDo('elicitation') ? { user_name: form('What is your name?', 'name') } : {}),
      });
    },
  },
];

type Questions = Parameters<typeof ask>[0];

function until({ context: { mcpReq } }: FixtureCall, questions: Questions) {
  const isAnswered = hasAnswers(mcpReq, Object.keys(questions));
  return isAnswered ? answer(words(JSON.stringify(mcpReq.inputResponses))) : ask(questions);
}

async function withState({ context }: FixtureCall, questions: Questions) {
  const state = await unsealed(context);
  const isAnswered = state !== undefined && hasAnswers(context.mcpReq, Object.keys(questions));
  return isAnswered ? answer(words('state-ok')) : ask(questions, await seal('asked'));
}
