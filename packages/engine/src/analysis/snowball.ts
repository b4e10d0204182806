import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as armenian } from '@orama/stemmers/armenian'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hindi } from '@orama/stemmers/indian'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as irish } from '@orama/stemmers/irish'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as tamil } from '@orama/stemmers/tamil'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import { fold } from './fold.ts'
import { respell, settle } from './respell.ts'

type Stemmer = (word: string) => string

/** By primary language subtag. All except the Ukrainian one are Snowball algorithms. */
const STEMMERS: ReadonlyMap<string, Stemmer> = new Map([
  ['ar', arabic],
  ['da', danish],
  ['de', german],
  ['el', greek],
  ['es', spanish],
  ['fi', finnish],
  ['fr', french],
  ['ga', irish],
  ['hi', hindi],
  ['hu', hungarian],
  ['hy', armenian],
  ['id', indonesian],
  ['it', italian],
  ['lt', lithuanian],
  ['nb', norwegian],
  ['nl', dutch],
  ['nn', norwegian],
  ['no', norwegian],
  ['pt', portuguese],
  ['ro', romanian],
  ['ru', russian],
  ['sv', swedish],
  ['ta', tamil],
  ['tr', turkish],
  ['uk', ukrainian],
])

/** Longer forms are not stemmed. UTF-16 units. */
const WORD_LENGTH_MAX = 48

/** Minimum length of a stem: one letter does not distinguish words. UTF-16 units. */
const STEM_LENGTH_MIN = 2

/**
 * The stemmer of a language for folded forms. Snowball's rules expect the original spelling, so
 * `respell` restores the accents of a form's ending, and the stem is folded again.
 *
 * @returns undefined for a language without a stemmer
 */
export function snowballStem(primary: string): ((form: string) => string) | undefined {
  const stemmer = STEMMERS.get(primary)
  if (stemmer === undefined) return undefined
  const spelling = respell(primary)
  const settled = settle(primary)
  return (form) => {
    if (form.length > WORD_LENGTH_MAX || !/^[\p{L}\p{M}]+$/u.test(form)) return form
    const stem = settled(fold(stemmer(spelling(form))))
    // Some algorithms also strip prefixes. See the invariant of `Language.stem`.
    const keepsBeginning = stem.charCodeAt(0) === form.charCodeAt(0)
    return keepsBeginning && stem.length >= STEM_LENGTH_MIN ? stem : form
  }
}
