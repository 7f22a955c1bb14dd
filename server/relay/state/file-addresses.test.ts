import { describe, expect, test } from 'bun:test'
import { inFileAddress } from './file-addresses.ts'
import { referencesIn } from './referred-ids.ts'

const google = 'generativelanguage.googleapis.com'

/** Spellings of what is Google's or the operator's, and of no clean address. */
const refused = [
  'gs://bucket/x.pdf',
  ' gs://bucket/x.pdf',
  'GS://bucket/x.pdf',
  'gs:bucket/x.pdf',
  '\tgs://bucket/x.pdf',
  '\u0000gs://bucket/x.pdf',
  '\ufeffgs://bucket/x.pdf',
  'g\ns://bucket/x.pdf',
  'gs:\\\\bucket\\x.pdf',
  'files/abc ',
  ' files/abc',
  'files/abc\n',
  '/files/abc',
  './files/abc',
  'Files/abc',
  'FILES/abc',
  'files/abc/',
  'files/abc?x=1',
  'files/abc#x',
  'files//abc',
  'files/../files/abc',
  'files%2Fabc',
  'files\\abc',
  'v1beta/files/abc',
  '/v1beta/files/abc',
  `//${google}/v1beta/files/abc`,
  `${google}/v1beta/files/abc`,
  `https:${google}/v1beta/files/abc`,
  `https:/${google}/v1beta/files/abc`,
  `https:///${google}/v1beta/files/abc`,
  `https:\\\\${google}\\v1beta\\files\\abc`,
  ` https://${google}/v1beta/files/abc`,
  `ht\ntps://${google}/v1beta/files/abc`,
  `https://${google}./v1beta/files/abc`,
  `https://x@${google}/v1beta/files/abc`,
  `https://x:y@${google}/v1beta/files/abc`,
  `https://@${google}/v1beta/files/abc`,
  `https://${google}/v1beta/cachedContents/abc`,
  `https://${google}`,
  `https://${google}/`,
  `https://${google}:443/anything`,
  `https://${google}:8443/anything`,
  `http://${google}/anything`,
  `https://${google.toUpperCase()}/anything`,
  'https://%67enerativelanguage.googleapis.com/anything',
  'https://generativelanguage。googleapis。com/anything',
  'https://ｇenerativelanguage.googleapis.com/anything',
  `https://us-central1-aiplatform.googleapis.com/v1/projects/p`,
  `https://content-${google}/v1beta/x`,
  'https://example.com./a.png',
  'https://user:secret@example.com/a.png',
  'https://user@example.com/a.png',
  'https://',
  'https:///',
  'ftp://example.com/a.png',
  'file:///etc/passwd',
  'projects/p/locations/l/x',
  'x.pdf',
]

describe('an address of a file', () => {
  test.each(refused.map((address) => [JSON.stringify(address), address] as const))('is nobody’s: %s', (_, address) => {
    expect(inFileAddress(address, 'contents')).toEqual([
      { kind: 'item', id: address, param: 'contents', what: 'stored file' },
    ])
  })

  test.each([
    'files/abc',
    `https://${google}/v1beta/files/abc`,
    `http://${google}/v1beta/files/abc`,
    `https://${google}:443/v1beta/files/abc`,
    `https://${google}:8443/v1beta/files/abc`,
    `https://${google.toUpperCase()}/v1beta/files/abc`,
    'https://generativelanguage。googleapis。com/v1beta/files/abc',
    `https://${google}/v1alpha/files/abc?alt=media`,
    'https://relay.example/v1beta/files/abc',
  ])('names a file that must be its caller’s: %s', (address) => {
    expect(inFileAddress(address, 'contents')).toEqual([{ kind: 'gemini-file', id: 'files/abc', param: 'contents' }])
  })

  test.each([
    'https://example.com/a.png',
    'http://example.com/a.png',
    'HTTPS://EXAMPLE.COM/a.png',
    'https://example.com:8443/a.png?x=%20y#z',
    'https://example.com',
    'https://bücher.example/ä.png',
    'https://example.com/user@host.png',
    'https://www.youtube.com/watch?v=abc',
    'https://storage.googleapis.com/bucket/x.pdf?X-Goog-Signature=abc',
    'https://notgoogleapis.com/a.png',
    'https://[2001:db8::1]/a.png',
    'data:image/png;base64,AAAA',
  ])('is its client’s own business: %s', (address) => {
    expect(inFileAddress(address, 'contents')).toEqual([])
  })

  test.each(['fileUri', 'file_uri', 'gcsUri', 'gcs_uri', 'storageUri', 'storage_uri'])(
    'is looked for wherever a body may name one: %s',
    (field) => {
      const thing = { [field]: ' gs://bucket/x' }
      const bodies = [
        { contents: [{ parts: [{ fileData: thing }] }] },
        { content: { parts: [{ fileData: thing }] } },
        { requests: [{ content: { parts: [{ fileData: thing }] } }] },
        { systemInstruction: { parts: [{ file_data: thing }] } },
        { instances: [{ image: thing }] },
        { parameters: thing },
      ]
      for (const body of bodies) {
        const found = referencesIn('gemini', JSON.stringify(body), body)
        expect(found.map(({ what, id }) => [what, id])).toEqual([['stored file', ' gs://bucket/x']])
      }
    },
  )
})
