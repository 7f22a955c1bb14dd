import type { Tool } from '#server/dialects/chat.ts'

interface ClientTool {
  readonly name: string
  readonly definition: Pick<Tool, 'description' | 'parameters'>
}

const text = (description: string) => ({ type: 'string', description })
const whole = (description: string) => ({ type: 'integer', description })
const oneOf = (...values: string[]) => ({ type: 'string', enum: values })
const place = { type: 'array', items: { type: 'integer' }, description: 'x and y in pixels' }
const range = { type: 'array', items: { type: 'integer' }, description: 'First and last line, from 1; -1 for the end' }

const fileEdits = {
  path: text('Path of the file or folder'),
  file_text: text('Content of the file, for create'),
  old_str: text('Text to replace, for str_replace'),
  new_str: text('Text to put in its place, for str_replace'),
  insert_line: whole('Line after which to insert, for insert'),
  insert_text: text('Text to insert, for insert'),
  view_range: range,
}

/** Claude knows the arguments of these; other models get their schema. */
const clientTools: readonly [RegExp, ClientTool][] = [
  [
    /^bash_/,
    {
      name: 'bash',
      definition: {
        description: 'Runs a command in a shell that stays open between calls.',
        parameters: {
          type: 'object',
          properties: { command: text('The command to run'), restart: { type: 'boolean', description: 'Start anew' } },
        },
      },
    },
  ],
  [
    /^text_editor_/,
    {
      name: 'str_replace_based_edit_tool',
      definition: {
        description: 'Views, creates and edits text files.',
        parameters: {
          type: 'object',
          properties: { command: oneOf('view', 'create', 'str_replace', 'insert', 'undo_edit'), ...fileEdits },
          required: ['command', 'path'],
        },
      },
    },
  ],
  [
    /^memory_/,
    {
      name: 'memory',
      definition: {
        description: 'Reads and writes files under /memories that last between conversations.',
        parameters: {
          type: 'object',
          properties: {
            command: oneOf('view', 'create', 'str_replace', 'insert', 'delete', 'rename'),
            ...fileEdits,
            old_path: text('Present path, for rename'),
            new_path: text('New path, for rename'),
          },
          required: ['command'],
        },
      },
    },
  ],
  [
    /^computer_/,
    {
      name: 'computer',
      definition: {
        description: 'Uses the mouse, the keyboard and the screen of a computer.',
        parameters: {
          type: 'object',
          properties: {
            action: text('What to do: screenshot, left_click, type, key, mouse_move, scroll, wait and the like'),
            coordinate: place,
            start_coordinate: place,
            text: text('Text to type or keys to press'),
            scroll_direction: oneOf('up', 'down', 'left', 'right'),
            scroll_amount: whole('How far to scroll'),
            duration: { type: 'number', description: 'Seconds to wait or hold' },
          },
          required: ['action'],
        },
      },
    },
  ],
]

/** A tool of Anthropic's that the client runs itself, by its dated type. */
export function clientTool(type: string): ClientTool | undefined {
  return clientTools.find(([pattern]) => pattern.test(type))?.[1]
}
