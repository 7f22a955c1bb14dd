export const filters = {
  is: 'is',
  isNot: 'is not',
  remove: 'Remove the filter {{field}} {{value}}',
  add: 'Add filter',
  field: 'Field',
  how: 'How',
  value: 'Value',
  none: 'Nothing of this in the period.',
  use: 'Use “{{text}}”',
  fieldIsNot: '{{field}} is not',
  apply: 'Apply',
} as const
