// Messages: a text with {placeholders}, or several by plural category, chosen by {n}.

export type Message = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Values = Record<string, string | number>;

export function formatMessage(message: Message, values: Values, plural: Intl.PluralRules): string {
  const text =
    typeof message === "string" ? message : (message[plural.select(Number(values["n"]))] ?? message.other ?? "");
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
