import { answerJobs } from '../../adapters/embedded/answer-jobs.ts'

/**
 * A background thread that doubles numbers, dies of 13 every time, hangs over 14, is slow over 15,
 * and refuses texts.
 */
answerJobs((message, beat) => {
  if (typeof message !== 'number') throw new TypeError('not a number')
  if (message === 13) process.exit(1)
  if (message === 14) for (;;);
  if (message === 15)
    for (const startMs = performance.now(); performance.now() - startMs < 1_500;) beat()
  return message * 2
})
