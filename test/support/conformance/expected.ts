/**
 * What scenarios of the conformance suite are known to find, each with its reason. A scenario that is not listed finds
 * nothing; one that is listed finds exactly this.
 */
interface Known {
  /** Why it cannot be otherwise. */
  readonly why: string;
  /** As a `Findings` has them. */
  readonly finds: readonly string[];
}

export type KnownFindings = Readonly<Record<string, Known>>;

const NO_SUCH_HEADERS: Known = {
  why: 'no tool takes an argument from a header; the SDK checks them for tools of its own registry, which ours are not in',
  finds: [
    'sep-2243-server-decode-base64: failure',
    'sep-2243-server-no-xmcp-tool: failure',
    'sep-2243-server-reject-invalid-param-chars: failure',
    'sep-2243-server-reject-param-mismatch: failure',
    'sep-2243-server-validate-param-match: failure',
  ],
};

/** Of our server with the tools, prompts and resources that scenarios ask for. */
export const KNOWN_WITH_FIXTURES: KnownFindings = {
  'http-custom-header-server-validation': NO_SUCH_HEADERS,
};

const lacking = (fixture: string, ...finds: readonly string[]): Known => ({
  why: `the scenario asks for ${fixture}, which only the fixtures have`,
  finds,
});
const tool = (name: string, ...finds: readonly string[]) => lacking(`a tool ${name}`, ...finds);
const prompt = (name: string, ...finds: readonly string[]) => lacking(`a prompt ${name}`, ...finds);
const resource = (uri: string, ...finds: readonly string[]) => lacking(`a resource ${uri}`, ...finds);

const RESULT = 'test_input_required_result';

/** Of the program as it is installed. */
export const KNOWN_OF_THE_PROGRAM: KnownFindings = {
  'completion-complete': prompt('test_prompt_with_arguments', 'completion-complete: failure'),
  'elicitation-sep1034-defaults': tool(
    'test_elicitation_sep1034_defaults',
    'elicitation-sep1034-general: failure',
  ),
  'elicitation-sep1330-enums': tool('test_elicitation_sep1330_enums', 'elicitation-sep1330-general: failure'),
  'http-custom-header-server-validation': NO_SUCH_HEADERS,
  'input-required-result-basic-elicitation': tool(
    `${RESULT}_elicitation`,
    'sep-2322-elicitation-incomplete: failure',
  ),
  // Whoever says that it has roots is asked for them; what comes then is that there is no such tool.
  'input-required-result-basic-list-roots': tool(
    `${RESULT}_list_roots`,
    'sep-2322-list-roots-complete: failure',
  ),
  'input-required-result-basic-sampling': tool(`${RESULT}_sampling`, 'sep-2322-sampling-incomplete: failure'),
  'input-required-result-capability-check': tool(
    `${RESULT}_capabilities`,
    'sep-2322-respect-client-capabilities: failure',
  ),
  'input-required-result-ignore-extra-params': tool(
    `${RESULT}_elicitation`,
    'sep-2322-ignore-unexpected-params: warning',
  ),
  'input-required-result-missing-input-response': tool(
    `${RESULT}_elicitation`,
    'sep-2322-missing-response-rerequests: warning',
  ),
  'input-required-result-multi-round': tool(`${RESULT}_multi_round`, 'sep-2322-multi-round-r1: failure'),
  'input-required-result-multiple-input-requests': tool(
    `${RESULT}_multiple_inputs`,
    'sep-2322-multiple-inputs-incomplete: failure',
  ),
  'input-required-result-non-tool-request': prompt(
    `${RESULT}_prompt`,
    'sep-2322-non-tool-incomplete: failure',
  ),
  'input-required-result-request-state': tool(
    `${RESULT}_request_state`,
    'sep-2322-request-state-incomplete: failure',
  ),
  'input-required-result-result-type': tool(
    `${RESULT}_elicitation`,
    'sep-2322-result-type-included: failure',
  ),
  'input-required-result-tampered-state': tool(
    `${RESULT}_tampered_state`,
    'sep-2322-reject-tampered-state: failure',
  ),
  'json-schema-2020-12': tool('json_schema_2020_12_tool', 'json-schema-2020-12-tool-found: failure'),
  'prompts-get-embedded-resource': prompt(
    'test_prompt_with_embedded_resource',
    'prompts-get-embedded-resource: failure',
  ),
  'prompts-get-simple': prompt('test_simple_prompt', 'prompts-get-simple: failure'),
  'prompts-get-with-args': prompt('test_prompt_with_arguments', 'prompts-get-with-args: failure'),
  'prompts-get-with-image': prompt('test_prompt_with_image', 'prompts-get-with-image: failure'),
  'resources-read-binary': resource('test://static-binary', 'resources-read-binary: failure'),
  'resources-read-text': resource('test://static-text', 'resources-read-text: failure'),
  'resources-subscribe': resource('test://watched-resource', 'resources-subscribe: failure'),
  'resources-templates-read': resource('test://template/123/data', 'resources-templates-read: failure'),
  'resources-unsubscribe': resource('test://watched-resource', 'resources-unsubscribe: failure'),
  'server-sse-polling': tool('test_reconnection', 'server-sse-disconnect-resume: warning'),
  'server-stateless': lacking(
    'tools that ask, log, want a capability and change the lists',
    'sep-2575-http-server-no-independent-requests-on-stream: failure',
    'sep-2575-missing-capability-http-400: failure',
    'sep-2575-server-no-log-without-loglevel: failure',
    'sep-2575-server-rejects-undeclared-capability: failure',
    'sep-2575-server-sends-prompts-list-changed-on-subscription: warning',
    'sep-2575-server-sends-tools-list-changed-on-subscription: warning',
  ),
  'tools-call-audio': tool('test_audio_content', 'tools-call-audio: failure'),
  'tools-call-elicitation': tool('test_elicitation', 'tools-call-elicitation: failure'),
  'tools-call-embedded-resource': tool('test_embedded_resource', 'tools-call-embedded-resource: failure'),
  'tools-call-error': tool('test_error_handling', 'tools-call-error: failure'),
  'tools-call-image': tool('test_image_content', 'tools-call-image: failure'),
  'tools-call-mixed-content': tool('test_multiple_content_types', 'tools-call-mixed-content: failure'),
  'tools-call-sampling': tool('test_sampling', 'tools-call-sampling: failure'),
  'tools-call-simple-text': tool('test_simple_text', 'tools-call-simple-text: failure'),
  'tools-call-with-logging': tool('test_tool_with_logging', 'tools-call-with-logging: failure'),
  'tools-call-with-progress': tool('test_tool_with_progress', 'tools-call-with-progress: failure'),
};

const directory = (check: string) => `sep-2640-${check}: skipped`;

/** Of the program, which has the extension for skills. */
export const KNOWN_OF_SKILLS: KnownFindings = {
  'sep-2640-skills-directory': {
    why: 'a skill is one file, so that there are no directories to read',
    finds: [
      directory('capability-directory-read-flag'),
      directory('directory-read-invalid-params'),
      directory('directory-read-method-registered'),
      directory('directory-read-pagination'),
      directory('directory-read-result-resources-shape'),
      directory('directory-read-subdir-mimetype'),
    ],
  },
  'sep-2640-skills-manifest': {
    why: 'skills/list has the skills, so that resources/list, which clients show, need not',
    finds: ['sep-2640-skillmd-metadata-description: warning', 'sep-2640-skillmd-metadata-name: warning'],
  },
};
