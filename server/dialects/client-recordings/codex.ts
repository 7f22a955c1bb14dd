/** What Codex 0.166 sends first, by the name of its model; texts and parameters shortened. */
export const namespaces = {
  model: 'claude-sonnet-4-5',
  stream: true,
  input: [
    {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'say hi' }],
    },
  ],
  tools: [
    {
      type: 'function',
      name: 'exec_command',
      strict: false,
      description: 'Runs a command in a PTY, returning output or a session ID fo',
      parameters: {
        type: 'object',
        properties: { cmd: { type: 'string' }, justification: { type: 'string' } },
        additionalProperties: false,
      },
    },
    {
      type: 'namespace',
      name: 'multi_agent_v1',
      description: 'Tools for spawning and managing sub-agents.',
      tools: [
        {
          type: 'function',
          name: 'close_agent',
          strict: false,
          description: 'Close an agent and any open descendants when they are no lon',
          parameters: {
            type: 'object',
            properties: { target: { type: 'string' } },
            additionalProperties: false,
          },
        },
        {
          type: 'function',
          name: 'resume_agent',
          strict: false,
          description: 'Resume a previously closed agent by id so it can receive sen',
          parameters: {
            type: 'object',
            properties: { id: { type: 'string' } },
            additionalProperties: false,
          },
        },
        {
          type: 'function',
          name: 'send_input',
          strict: false,
          description: 'Send a message to an existing agent. Use interrupt=true to r',
          parameters: {
            type: 'object',
            properties: { interrupt: { type: 'string' }, items: { type: 'string' } },
            additionalProperties: false,
          },
        },
      ],
    },
    {
      type: 'namespace',
      name: 'mcp__echo',
      description: 'Tools in the mcp__echo namespace.',
      tools: [
        {
          type: 'function',
          name: 'say_it',
          strict: false,
          description: 'says',
          parameters: {
            type: 'object',
            properties: { text: { type: 'string' } },
            additionalProperties: false,
          },
        },
      ],
    },
    {
      type: 'web_search',
      external_web_access: false,
    },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: {
    summary: 'auto',
  },
  store: false,
  include: ['reasoning.encrypted_content'],
}

export const customPatch = {
  model: 'gpt-5.5',
  stream: true,
  input: [
    {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'say hi' }],
    },
  ],
  tools: [
    {
      type: 'function',
      name: 'exec_command',
      strict: false,
      description: 'Runs a command in a PTY, returning output or a session ID fo',
      parameters: {
        type: 'object',
        properties: { cmd: { type: 'string' }, justification: { type: 'string' } },
        additionalProperties: false,
      },
    },
    {
      type: 'custom',
      name: 'apply_patch',
      format: {
        type: 'grammar',
        syntax: 'lark',
        definition: 'start: begin_patch hunk+ end_patch',
      },
      description: 'The `apply_patch` tool can be used to edit files. This is a ',
    },
    {
      type: 'tool_search',
      execution: 'client',
      description: '# Tool discovery',
      parameters: {
        type: 'object',
        properties: { limit: { type: 'string' }, query: { type: 'string' } },
        additionalProperties: false,
      },
    },
    {
      type: 'web_search',
      external_web_access: false,
      search_content_types: ['text', 'image'],
    },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: {
    effort: 'medium',
  },
  store: false,
  include: ['reasoning.encrypted_content'],
  text: {
    verbosity: 'low',
  },
}

export const additionalTools = {
  model: 'gpt-6-sol',
  stream: true,
  input: [
    {
      type: 'additional_tools',
      role: 'developer',
      tools: [
        {
          type: 'namespace',
          name: 'functions',
          description: '',
          tools: [
            {
              type: 'custom',
              name: 'exec',
              format: {
                type: 'grammar',
                syntax: 'lark',
                definition: 'start: begin_patch hunk+ end_patch',
              },
              description: 'Run JavaScript code to orchestrate/compose tool calls',
            },
            {
              type: 'function',
              name: 'wait',
              strict: false,
              description: 'Waits on a yielded `exec` cell and returns new output or com',
              parameters: {
                type: 'object',
                properties: { cell_id: { type: 'string' }, max_tokens: { type: 'string' } },
                additionalProperties: false,
              },
            },
            {
              type: 'function',
              name: 'request_user_input',
              strict: false,
              description: 'Request user input for one to three short questions and wait',
              parameters: {
                type: 'object',
                properties: { questions: { type: 'string' } },
                additionalProperties: false,
              },
            },
          ],
        },
        {
          type: 'namespace',
          name: 'clock',
          description: 'Tools for reading and waiting on time.',
          tools: [
            {
              type: 'function',
              name: 'sleep',
              strict: false,
              description: 'Pause execution for a specified duration. The sleep ends ear',
              parameters: {
                type: 'object',
                properties: { duration_ms: { type: 'string' } },
                additionalProperties: false,
              },
            },
          ],
        },
      ],
    },
    {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'say hi' }],
    },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: false,
  reasoning: {
    effort: 'medium',
    context: 'all_turns',
  },
  store: false,
  include: ['reasoning.encrypted_content'],
  text: {
    verbosity: 'low',
  },
}
