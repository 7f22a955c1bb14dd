import { TagsInput, type TagsInputProps } from '@mantine/core'

/** Several names in one field; for pages that fetch it when they have been drawn. */
export const NamesInput = (props: TagsInputProps) => <TagsInput {...props} />
