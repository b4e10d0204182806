import { answerJobs } from '../answer-jobs.ts'

/** A background thread that doubles numbers, dies of 13 every time, and refuses texts. */
answerJobs((message) => {
  if (typeof message !== 'number') throw new TypeError('not a number')
  if (message === 13) process.exit(1)
  return message * 2
})
