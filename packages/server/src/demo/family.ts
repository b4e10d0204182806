import type { PictureName } from './pictures.ts'
import { lines, words, type PaletteName, type Trade } from './vocabulary.ts'

/** A group of similar products, with what they have in common. */
export interface Family {
  /** First letters of part numbers. */
  readonly prefix: string
  /** Last word of a title: `Tent`. */
  readonly noun: string
  /** Path in the category tree, the widest first. */
  readonly path: readonly string[]
  readonly trade: Trade
  readonly palette: PaletteName
  readonly picture: PictureName
  /** Prices from the cheapest kind to the most expensive, at price level 1. */
  readonly price: readonly [low: number, high: number]
  /** Kinds of the product, the cheapest first; titles have one before the noun. */
  readonly kinds: readonly string[]
  readonly materials: readonly string[]
  /** Sizes that one product is available in (clothing). */
  readonly sizes: readonly string[]
  /** Measures, the cheapest first; each product has one (26 cm), in its title. */
  readonly measures: readonly string[]
  readonly sentences: readonly string[]
  readonly tags: readonly string[]
}

/**
 * Reads families, with an empty line between two of them. The first line of each has the fields
 * from `prefix` to `price`, the next ones the lists, each after its name; all others are sentences.
 */
export function families(text: string): readonly Family[] {
  return text.split(/\n\s*\n/).map((paragraph) => {
    const [head, ...rest] = lines(paragraph)
    const [prefix, noun, path, trade, palette, picture, price] = head!.split(' | ')
    const [low, high] = price!.split('-').map(Number)
    const lists: Record<string, readonly string[]> = {}
    const sentences: string[] = []
    for (const line of rest) {
      const [, name, list] = /^([a-z]+): (.*)$/.exec(line) ?? []
      if (name === undefined) sentences.push(line)
      else lists[name] = words(list!)
    }
    return {
      prefix: prefix!,
      noun: noun!,
      path: path!.split(' > '),
      trade: trade as Trade,
      palette: palette as PaletteName,
      picture: picture as PictureName,
      price: [low!, high!],
      kinds: lists['kinds']!,
      materials: lists['materials']!,
      sizes: lists['sizes'] ?? [],
      measures: lists['measures'] ?? [],
      sentences,
      tags: lists['tags']!,
    }
  })
}
