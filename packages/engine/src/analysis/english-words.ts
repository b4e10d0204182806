/**
 * English stopwords: articles, conjunctions, prepositions, pronouns, auxiliaries. Excludes words
 * for a size, a colour, a quantity or a negation (no, not, without, all, off), which say something
 * about a product.
 */
export const ENGLISH_STOPWORDS: ReadonlySet<string> = new Set(
  (
    'a an the and or but nor if than then so as at by for from in into of on onto to upon with ' +
    'about per via am is are was were be been being do does did has have had can could may might ' +
    'must shall should will would i me my we us our you your he him his she her it its they them ' +
    'their this that these those what which who whose there here'
  ).split(' '),
)

/** Irregular plurals, followed by the singular whose stem they share. */
const IRREGULAR_PLURALS: readonly (readonly [plurals: string, singular: string])[] = [
  // Possessive plurals often lack the apostrophe: mens shoes.
  ['men mens', 'man'],
  ['women womens', 'woman'],
  ['children childrens', 'child'],
  ['grandchildren', 'grandchild'],
  ['people peoples', 'person'],
  ['feet', 'foot'],
  ['teeth', 'tooth'],
  ['geese', 'goose'],
  ['mice', 'mouse'],
  ['lice', 'louse'],
  ['oxen', 'ox'],
  ['knives', 'knife'],
  ['penknives', 'penknife'],
  ['wives', 'wife'],
  ['housewives', 'housewife'],
  ['midwives', 'midwife'],
  ['lives', 'life'],
  ['leaves', 'leaf'],
  ['loaves', 'loaf'],
  ['shelves shelving', 'shelf'],
  ['bookshelves', 'bookshelf'],
  ['halves', 'half'],
  ['calves', 'calf'],
  ['elves', 'elf'],
  ['selves', 'self'],
  ['thieves', 'thief'],
  ['wolves', 'wolf'],
  ['werewolves', 'werewolf'],
  ['scarves', 'scarf'],
  ['hooves', 'hoof'],
  ['dwarves', 'dwarf'],
  ['wharves', 'wharf'],
  ['sheaves', 'sheaf'],
  ['gentlemen gentlemens', 'gentleman'],
  ['firemen', 'fireman'],
  ['fishermen', 'fisherman'],
  ['policemen', 'policeman'],
  ['snowmen', 'snowman'],
  ['salesmen', 'salesman'],
  ['craftsmen', 'craftsman'],
  ['workmen', 'workman'],
  ['sportsmen', 'sportsman'],
  ['businessmen', 'businessman'],
  ['cacti', 'cactus'],
  ['fungi', 'fungus'],
  ['nuclei', 'nucleus'],
  ['radii', 'radius'],
  ['stimuli', 'stimulus'],
  ['criteria', 'criterion'],
  ['phenomena', 'phenomenon'],
  ['bacteria', 'bacterium'],
  ['indices', 'index'],
  ['matrices', 'matrix'],
  ['vertices', 'vertex'],
  ['appendices', 'appendix'],
  ['crises', 'crisis'],
  ['analyses', 'analysis'],
  ['formulae', 'formula'],
  ['antennae', 'antenna'],
  ['larvae', 'larva'],
  ['quizzes', 'quiz'],
]

/**
 * Groups for which suffix stripping is wrong: singulars in -s, whose plural it does not reduce to
 * them, and words that it conflates with another word (bedding and bed, anime and animal). The
 * first of a group is the stem.
 */
const FIXED_STEMS: readonly string[] = [
  'lens lenses',
  'bus buses busses',
  'gas gases gasses',
  'plus pluses plusses',
  'iris irises',
  'canvas canvases canvasses',
  'atlas atlases',
  'alias aliases',
  'bias biases',
  'trellis trellises',
  'clematis',
  'chassis',
  'christmas',
  'pancreas',
  'texas',
  'cosmos',
  'andes',
  'news',
  'axe axes ax',
  'bedding beddings',
  'boxing',
  'clothes clothing',
  'dressing dressings',
  'legging leggings',
  'paste pastes',
  'stocking stockings',
  'training trainings',
  'anime',
  'animal animals',
  // Porter2 removes an s only with an earlier vowel before the previous letter, and never after u.
  'atv atvs',
  'bbq bbqs',
  'bra bras',
  'btu btus',
  'cctv cctvs',
  'cd cds',
  'cpu cpus',
  'dvd dvds',
  'dvr dvrs',
  'gpu gpus',
  'hdd hdds',
  'hdtv hdtvs',
  'hr hrs',
  'lp lps',
  'ltr ltrs',
  'menu menus',
  'mfp mfps',
  'nvr nvrs',
  'pc pcs',
  'pda pdas',
  'psu psus',
  'rv rvs',
  'sku skus',
  'spa spas',
  'ssd ssds',
  'suv suvs',
  'tv tvs',
  'yr yrs',
]

/**
 * Words whose stem differs from what English rules suggest, with their stems.
 *
 * @param stem the rule for all other words
 */
export function englishExceptions(stem: (word: string) => string): Map<string, string> {
  const stems = new Map<string, string>()
  for (const group of FIXED_STEMS) {
    const words = group.split(' ')
    for (const word of words) stems.set(word, words[0]!)
  }
  for (const [plurals, singular] of IRREGULAR_PLURALS) {
    for (const plural of plurals.split(' '))
      stems.set(plural, stems.get(singular) ?? stem(singular))
  }
  return stems
}
