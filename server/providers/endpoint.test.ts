import { describe, expect, test } from 'bun:test'
import { endpoint } from './endpoint.ts'

describe('the address of an operation', () => {
  test.each([
    ['a bare host', 'https://a.example', 'https://a.example/v1/embeddings'],
    ['any number of slashes at the end', 'https://a.example//', 'https://a.example/v1/embeddings'],
    ['a version', 'https://a.example/v1/', 'https://a.example/v1/embeddings'],
    ['another version', 'https://a.example/api/v4beta', 'https://a.example/api/v4beta/embeddings'],
    ['the whole address of chats', 'https://a.example/x/chat/completions', 'https://a.example/x/embeddings'],
    ['an address to be taken as it is', 'https://a.example/x?y=z#', 'https://a.example/x?y=z'],
    ['a query', 'https://a.example?tenant=7', 'https://a.example/v1/embeddings?tenant=7'],
    ['a version and a query', 'https://a.example/v1/?tenant=7', 'https://a.example/v1/embeddings?tenant=7'],
    [
      'the whole address of chats with a query',
      'https://a.example/x/chat/completions?tenant=7',
      'https://a.example/x/embeddings?tenant=7',
    ],
  ])('begins with %s', (_, base, address) => {
    expect(endpoint(base, '/v1', '/embeddings')).toBe(address)
  })

  test('joins the query of its channel to one of its own', () => {
    expect(endpoint('https://a.example/?tenant=7', '/v1', '/files?limit=2')).toBe(
      'https://a.example/v1/files?tenant=7&limit=2',
    )
  })
})
