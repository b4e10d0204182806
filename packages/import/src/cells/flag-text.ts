/** Words for true and false; none means the opposite in another language. */
const TRUE = new Set(
  'true yes y 1 on ja j oui o vrai wahr si sí sì s verdadero vero sim verdadeiro tak prawda da да ano kyllä evet はい'.split(
    ' ',
  ),
)
const FALSE = new Set(
  'false no n 0 off nein non faux falsch falso não nao nee nej nei nie fałsz net нет ne ei hayır hayir いいえ'.split(
    ' ',
  ),
)
const FLAG_MAX_CHARS = 10

/** Reads yes or no; undefined if it is neither. */
export function readFlag(text: string): boolean | undefined {
  if (text.length > FLAG_MAX_CHARS) return undefined
  const word = text.toLowerCase()
  if (TRUE.has(word)) return true
  return FALSE.has(word) ? false : undefined
}

const NOTHING = new Set(
  'n/a,#n/a,n.a.,n. a.,null,\\n,none,nil,-,–,—,--,k.a.,k. a.,keine angabe,not available,s.o.,n.v.t.,undefined'.split(
    ',',
  ),
)

/** Whether a text means "no value" where a number, date or flag is expected. */
export function saysNothing(text: string): boolean {
  return text.length <= 14 && NOTHING.has(text.toLowerCase())
}
