import { join } from 'node:path'
import { REPOSITORY } from '@aisle/testing'
import { demoCatalog } from '../../packages/server/src/demo/demo-catalog.ts'
import { rows, type JudgedQuery } from './judged-set.ts'

/**
 * Questions in natural language about the demo catalog. Products are graded by a rule that was
 * written before any result was seen: each question has categories, and what is in one of them has
 * its grade. A category is the end of the deepest path of a product.
 */
export function readQuestions(): JudgedQuery[] {
  const { documents } = demoCatalog()
  return rows(join(REPOSITORY, 'bench/relevance/questions.tsv'))
    .slice(1)
    .map(([text = '', rule = ''], i) => {
      const grades = rule.split('; ').map((part) => {
        const at = part.lastIndexOf(':')
        return { category: part.slice(0, at), grade: Number(part.slice(at + 1)) }
      })
      const judgments = new Map<string, number>()
      for (const { category, grade } of grades) {
        const inside = documents.filter(({ data }) => isIn(data.categories.at(-1), category))
        if (inside.length === 0) throw new Error(`"${text}": nothing is in "${category}"`)
        for (const { id } of inside) judgments.set(id, grade)
      }
      return { id: `question-${i + 1}`, text, judgments }
    })
}

function isIn(path: string | undefined, category: string): boolean {
  return path === category || path?.endsWith(` > ${category}`) === true
}
