export const forms = {
  worth: 'Worth {{money}}',
  attention_one: '{{count}} field needs attention',
  attention_other: '{{count}} fields need attention',
  unsaved_one: '{{count}} unsaved change',
  unsaved_other: '{{count}} unsaved changes',
  save: 'Save changes',
  discard: 'Discard',
} as const
