/** How long a browser may take to fetch the file; some begin only after the click has been handled. */
const fetchTime = 60_000

/** Hands a text over as a file. */
export function downloadText(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), fetchTime)
}
