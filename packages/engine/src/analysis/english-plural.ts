import { englishExceptions } from './english-words.ts'

/** Irregular words, with the singular whose forms they share; other words map to themselves. */
const singulars = englishExceptions((word) => word)

/**
 * Whether two forms are singular and plural of one English word, or equal: shoe and shoes are,
 * paint and painting are not. Rules after Harman, "How effective is suffixing?" (1991).
 */
export function isEnglishPlural(a: string, b: string): boolean {
  if (singularOf(a) === singularOf(b)) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return long === `${short}es`
}

function singularOf(form: string): string {
  const irregular = singulars.get(form)
  if (irregular !== undefined) return irregular
  if (form.length < 4) return form
  if (form.length > 4 && form.endsWith('ies') && !/[ae]ies$/.test(form))
    return `${form.slice(0, -3)}y`
  return form.endsWith('s') && !/[us]s$/.test(form) ? form.slice(0, -1) : form
}
