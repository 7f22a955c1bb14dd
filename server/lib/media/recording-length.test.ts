import { describe, expect, test } from 'bun:test'
import {
  aac,
  chainedOgg,
  flac,
  fragmentedM4a,
  m4a,
  miscountedOgg,
  miscountedWebm,
  mp3,
  ogg,
  wav,
  webm,
} from '#server/testing/recordings.ts'
import { recordingSeconds } from './recording-length.ts'

describe('the length of a recording', () => {
  test.each([
    ['WAV', wav(7)],
    ['MP3', mp3(7.2)],
    ['M4A', m4a(7)],
    ['OGG', ogg(7)],
    ['WebM', webm(7)],
    ['WebM that does not say it', webm(7, { tellsLength: false })],
    ['FLAC', flac(7)],
    ['AAC', aac(7.04)],
  ])('is read from the file: %s', (kind, bytes) => {
    expect(recordingSeconds(bytes)).toBeCloseTo(kind === 'MP3' ? 7.2 : 7, 1)
  })

  test('is not what a header claims where its samples play longer', () => {
    expect(recordingSeconds(wav(10, { declaredRate: 1_000_000_000 }))).toBeCloseTo(10)
    expect(recordingSeconds(m4a(10, 1))).toBeCloseTo(10)
  })

  test.each([
    ['WAV whose rate is written in the extended way', wav(10, { declaredRate: 1_000_000_000, kind: 0xfffe })],
    ['WAV of a second sound behind a short one', wav(10, { begins: true })],
    ['M4A in fragments', fragmentedM4a(10)],
    ['OGG whose pages count too few', miscountedOgg(10.2)],
    ['OGG of two streams, one behind the other', chainedOgg(10)],
    ['WebM whose times stand still', miscountedWebm(10.2)],
    ['FLAC that claims a moment', flac(10, { claimed: 0.01 })],
    ['FLAC that does not say it', flac(10, { claimed: 0 })],
    ['FLAC that claims to play fast', flac(10, { claimed: 0.01, claimedRate: 655_350 })],
  ])('is that of all that plays: %s', (_, bytes) => {
    expect(recordingSeconds(bytes)).toBeWithin(9.9, 10.3)
  })

  test('is unknown for what is no recording, whole or cut anywhere', () => {
    expect(recordingSeconds(new Uint8Array(4000))).toBeNull()
    for (const bytes of [wav(1), mp3(1), m4a(1), ogg(1), webm(1), flac(1)])
      for (let length = 0; length < Math.min(bytes.length, 200); length += 7)
        expect(() => recordingSeconds(bytes.subarray(0, length))).not.toThrow()
  })

  test('is unknown where a few bytes look like a frame by chance', () => {
    const other = new Uint8Array(40_000)
    other.set(mp3(0.024).subarray(20), 20_000)
    expect(recordingSeconds(other)).toBeNull()
  })

  const filled = (start: string, pattern: string) => {
    const bytes = Buffer.alloc(64 * 1024 * 1024, Buffer.from(pattern, 'latin1'))
    bytes.write(start, 0, 'latin1')
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  test.each([
    ['zeros', filled('', '\0')],
    ['marks of MP3', filled('', '\xff\xfb\0')],
    ['heads of MP4', filled('\0\0\0\x08ftyp', '\0\0\0\x08free')],
    ['empty films', filled('\0\0\0\x08ftyp', '\0\0\0\x08moov')],
    ['marks of OGG', filled('OggSOggSOpusHead', 'OggS')],
    ['empty elements of WebM', filled('\x1a\x45\xdf\xa3\x81\0', '\xec\x80')],
    ['marks of FLAC', filled(`fLaC${'\x11'.repeat(22)}`, '\xff\xf8\x84\x08\0\x82')],
    ['empty chunks of WAV', filled('RIFF\0\0\0\0WAVE', '\0')],
  ])(
    'is looked for in a large file of nothing but %s',
    (_, bytes) => {
      expect(recordingSeconds(bytes) ?? 0).toBeGreaterThanOrEqual(0)
    },
    30_000,
  )
})
