/** Hands a text to the person as a file. */
export function downloadText(name: string, text: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has taken its own hold by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
