import type { ReadStream } from 'node:tty'

const ENTER = /[\r\n]/
const INTERRUPT = '\u0003'
const DELETE = /[\b\u007f]/

/**
 * Asks on a terminal. A hidden answer is not echoed, not even as dots: nobody learns its length.
 *
 * @throws Error when interrupted
 */
export function askOn(
  input: ReadStream,
  write: (text: string) => void,
): (question: string, options: { hidden: boolean }) => Promise<string> {
  return (question, { hidden }) =>
    new Promise((resolve, reject) => {
      let answer = ''
      write(question)
      input.setRawMode(true)
      input.setEncoding('utf8')
      input.resume()
      const end = (settle: () => void): void => {
        input.off('data', read)
        input.setRawMode(false)
        input.pause()
        write('\n')
        settle()
      }
      const read = (text: string): void => {
        for (const character of text) {
          if (ENTER.test(character)) return end(() => resolve(answer))
          if (character === INTERRUPT) return end(() => reject(new Error('Interrupted')))
          if (DELETE.test(character)) {
            if (!hidden && answer !== '') write('\b \b')
            answer = answer.slice(0, -1)
          } else {
            if (!hidden) write(character)
            answer += character
          }
        }
      }
      input.on('data', read)
    })
}
