/** Fixture tools that answer, log or tell of progress, in either protocol. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server';
import { answer, embedded, IMAGE, SOUND, words } from './content.ts';
import type { FixtureTool } from './fixture-tool.ts';

/** What scenarios ask for between two messages of a call. */
const PAUSE_MS = 50;

export const PLAIN_TOOLS: readonly FixtureTool[] = [
  {
    name: 'test_simple_text',
    description: 'Answers with a text.',
    run: () => answer(words('A simple text.')),
  },
  {
    name: 'test_image_content',
    description: 'Answers with an image.',
    run: () => answer(IMAGE),
  },
  {
    name: 'test_audio_content',
    description: 'Answers with a sound.',
    run: () => answer(SOUND),
  },
  {
    name: 'test_embedded_resource',
    description: 'Answers with a resource.',
    run: () => answer(embedded('test://embedded-resource', 'text/plain', 'An embedded text.')),
  },
  {
    name: 'test_multiple_content_types',
    description: 'Answers with a text, an image and a resource.',
    run: () =>
      answer(words('Several:'), IMAGE, embedded('test://mixed-content-resource', 'application/json', '{}')),
  },
  {
    name: 'test_error_handling',
    description: 'Fails.',
    run: () => ({ ...answer(words('This tool always fails.')), isError: true }),
  },
  {
    name: 'test_tool_with_logging',
    description: 'Logs while it runs, by the log of the session.',
    run: async ({ connection: { log } }) => {
      log.info('Tool execution started');
      await sleep(PAUSE_MS);
      log.info('Tool processing data');
      await sleep(PAUSE_MS);
      log.info('Tool execution completed');
      return answer(words('Logged.'));
    },
  },
  {
    name: 'test_logging_tool',
    description: 'Logs by the SDK.',
    run: async ({ context: { mcpReq } }) => {
      await mcpReq.log('info', 'a message');
      return answer(words('Logged.'));
    },
  },
  {
    name: 'test_tool_with_progress',
    description: 'Tells how far it is.',
    run: async ({ context: { mcpReq } }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progress > 0) await sleep(PAUSE_MS);
        if (progressToken !== undefined)
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100 },
          });
      }
      return answer(words('Done.'));
    },
  },
  {
    name: 'test_reconnection',
    description: 'Closes the stream before it answers.',
    run: ({ context }) => {
      context.http?.closeSSE?.();
      return answer(words('Answered after the stream was closed.'));
    },
  },
  {
    name: 'test_missing_capability',
    description: 'Wants a client that samples.',
    run: () => {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    },
  },
  {
    name: 'test_trigger_tool_change',
    description: 'Says that the list of tools is another.',
    run: ({ changes }) => {
      changes.listChanged('notifications/tools/list_changed');
      return answer(words('Changed.'));
    },
  },
  {
    name: 'test_trigger_prompt_change',
    description: 'Says that the list of prompts is another.',
    run: ({ changes }) => {
      changes.listChanged('notifications/prompts/list_changed');
      return answer(words('Changed.'));
    },
  },
  {
    name: 'json_schema_2020_12_tool',
    description: 'Has a schema of many kinds of words.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address: { $anchor: 'place', type: 'object', properties: { city: { type: 'string' } } } },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        phone: { type: 'string' },
        mail: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['mail'] }] }],
      // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
      ...{ if: { required: ['phone'] }, then: { required: ['name'] }, else: { required: ['mail'] } },
      additionalProperties: false,
    },
    run: ({ args }) => answer(words(JSON.stringify(args))),
  },
];
