/** How vendors that have no code for it say that a conversation does not fit into a model: agents shorten it when they know. */
const said = new RegExp(
  [
    'prompt is too long',
    'exceeds? (?:the )?context (?:limit|window|size|length)',
    'exceeds the available context size',
    'input is too long for requested model',
    'input token count[^.]{0,60} exceeds the maximum',
    'maximum (?:context|prompt) length is',
    'reduce the length of the (?:messages|prompt|input)',
    'longer than the model.s context length',
    'greater than the context length',
    'context window exceeds limit',
    'exceeded model token limit',
    'range of input length should be',
  ].join('|'),
  'i',
)

export const saysTooLong = (message: string): boolean => said.test(message)

/** The words by which clients of Anthropic know it: the format has no code. */
const anthropicWords = /prompt is too long|exceed context limit/i

export const inAnthropicWords = (message: string): string =>
  anthropicWords.test(message) ? message : `prompt is too long: ${message}`
