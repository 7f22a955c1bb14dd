/**
 * Answers and transcripts that have ended: each is paid once, however often its vendor says so.
 * Not every vendor gives each an id of its own, so a new one may have the id of an earlier one.
 */
export function createEnds() {
  const answers = new Set<string>()
  const transcripts = new Set<string>()
  /** Whether the vendor announces the beginning of answers: then an id may be paid again only after such an announcement. */
  let announces = false
  const isRepeated = (ended: Set<string>, id: string): boolean => id !== '' && ended.size === ended.add(id).size

  return {
    isAnswerRepeated: (id: string): boolean => isRepeated(answers, id),
    isTranscriptRepeated: (id: string): boolean => isRepeated(transcripts, id),
    fromClient(type: unknown) {
      if (type === 'response.create' && !announces) answers.clear()
      if (type === 'input_audio_buffer.commit') transcripts.clear()
    },
    fromVendor(type: string, id: string) {
      if (type === 'input_audio_buffer.committed') transcripts.clear()
      if (type !== 'response.created') return
      announces = true
      answers.delete(id)
    },
  }
}
