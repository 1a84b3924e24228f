/** Signature help with its labels as text: servers may give parameters as offsets into the label. */
import type {
  ParameterInformation,
  SignatureHelp,
  SignatureInformation,
} from 'vscode-languageserver-protocol';
import { counted } from '../../../shared/base/counted.ts';
import { escapePattern } from '../../../shared/base/escape-pattern.ts';
import { oneLine } from '../../render/budget.ts';
import { markupLine, markupText } from '../../render/markup.ts';

export interface SignatureData {
  label: string;
  documentation?: string;
  parameters: { label: string; documentation?: string }[];
  /** Counted from 0, as the list is. */
  active_parameter?: number;
}

export interface SignatureHelpData {
  signatures: SignatureData[];
  /** Counted from 0, as the list is. */
  active_signature: number;
}

export function signatureData(help: SignatureHelp | null): SignatureHelpData {
  const signatures = (help?.signatures ?? []).map((signature, index): SignatureData => {
    const { label, documentation, parameters = [] } = signature;
    const active = activeIn(signature, index === activeIndex(help) ? help?.activeParameter : undefined);
    return {
      label,
      ...documented(documentation),
      parameters: parameters.map((parameter) => ({
        label: spanOf(signature, parameter).text,
        ...documented(parameter.documentation),
      })),
      ...(active === undefined ? {} : { active_parameter: active }),
    };
  });
  return { signatures, active_signature: activeIndex(help) };
}

/** The signature that is meant first, with its parameter marked and explained, then the others. */
export function signatureLines(help: SignatureHelp, where: string): string[] {
  const active = activeIndex(help);
  const signature = help.signatures[active];
  if (!signature) return [];
  const parameter = activeIn(signature, help.activeParameter);
  const others = help.signatures.filter((_, index) => index !== active);
  const about = parameter === undefined ? undefined : signature.parameters?.[parameter];
  const explained = about ? markupLine(about.documentation, 300) : '';
  return [
    `${marked(signature, about)}   ${where}`,
    ...(about && explained !== '' ? [`  ${spanOf(signature, about).text}: ${explained}`] : []),
    ...markupText(signature.documentation).split('\n').slice(0, DOC_LINES).filter(Boolean),
    ...(others.length === 0 ? [] : [`${counted(others.length, 'more signature')}:`]),
    ...others.slice(0, MOST_OTHERS).map(({ label }) => `  ${oneLine(label, 200)}`),
    ...(others.length > MOST_OTHERS ? [`  +${others.length - MOST_OTHERS} more`] : []),
  ];
}

const DOC_LINES = 6;
const MOST_OTHERS = 10;

function activeIndex(help: SignatureHelp | null): number {
  const index = help?.activeSignature ?? 0;
  return index < (help?.signatures.length ?? 0) ? index : 0;
}

/** Undefined when the call has more arguments than parameters, or none was begun. */
function activeIn(signature: SignatureInformation, ofHelp: number | null | undefined): number | undefined {
  const index = signature.activeParameter === undefined ? ofHelp : signature.activeParameter;
  return typeof index === 'number' && signature.parameters?.[index] ? index : undefined;
}

function marked(signature: SignatureInformation, parameter: ParameterInformation | undefined): string {
  const { label } = signature;
  if (!parameter) return label;
  const { from, text } = spanOf(signature, parameter);
  return from < 0 ? label : `${label.slice(0, from)}«${text}»${label.slice(from + text.length)}`;
}

/** Where a parameter stands in the label of its signature. Offsets count UTF-16 units whatever the encoding is. */
function spanOf(
  signature: SignatureInformation,
  { label }: ParameterInformation,
): { from: number; text: string } {
  if (typeof label === 'string') {
    const name = escapePattern(label);
    // The name of a parameter may also be a part of the function's own name before it.
    const from = signature.label.search(
      new RegExp(`(?<![\\p{ID_Continue}$])${name}(?![\\p{ID_Continue}$])`, 'u'),
    );
    return { from: from < 0 ? signature.label.indexOf(label) : from, text: label };
  }
  return { from: label[0], text: signature.label.slice(label[0], label[1]) };
}

function documented(documentation: SignatureInformation['documentation']): { documentation?: string } {
  const text = markupText(documentation);
  return text === '' ? {} : { documentation: text };
}
