import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { generatedRuns } from '@aisle/testing'
import { readFeed, rss } from './feed-fixture.ts'
import { itemsOf } from './xml-items.ts'

const ITEM = '<item><g:id>1</g:id></item>\n'
const LAUGHS = '<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
const DEEP = '<a>'.repeat(40) + '</a>'.repeat(40)

/** Parts of texts that a parser could take for something else. */
const HOSTILE =
  `a|<|>|&|"|'|]]>|é|€|😀|&amp;|&#38;|<![CDATA[|<!--|-->|</g:title>|<?x?>|{|\n|\r|\t|\u00a0|\u0085| `.split(
    '|',
  )

const REFUSED: readonly (readonly [what: string, xml: string, error: RegExp])[] = [
  [
    'a definition of entities',
    LAUGHS + rss('<item><g:id>&b;</g:id></item>'),
    /line 1, column 56: a DOCTYPE is not allowed/,
  ],
  ['an external entity', `<!DOCTYPE rss SYSTEM "file:///etc/passwd">${rss(ITEM)}`, /a DOCTYPE is/],
  [
    'an entity of HTML',
    rss('<item><g:id>&nbsp;</g:id></item>'),
    /line 3, column 18: undefined entity/,
  ],
  [
    'the root of a page',
    '<html><body>Log in</body></html>',
    /expected a product feed \(RSS or Atom\), received the element "html"/,
  ],
  ['other text', '{"id": 1}', /line 1, column \d/],
  ['an unknown prefix', rss('<item><x:id>1</x:id></item>'), /line 3, column \d+: unbound name/],
  ['an impossible character', rss('<item><g:id>&#0;</g:id></item>'), /line 3/],
  ['too many levels', rss(`<item>${DEEP}</item>`), /elements are more than 32 deep/],
]

suite('XML of a feed', () => {
  for (const [what, xml, expected] of REFUSED) {
    test(`is refused with ${what}`, async () => {
      const { entries, error } = await readFeed(xml)
      assert.deepEqual(entries, [])
      assert.match(error ?? 'no error', expected)
      assert.match(error!, /^Cannot read the feed: line \d+, column \d+: /)
    })
  }

  test('yields the items before the place where it is broken', async () => {
    for (const [end, expected] of [
      ['<item><g:id>4</item>', /line 6, column \d+: unexpected close tag/],
      ['<item><g:id>4</g', /unclosed tag/],
    ] as const) {
      const whole = rss(ITEM.repeat(3))
      const { entries, error } = await readFeed(whole.slice(0, whole.indexOf('</channel>')) + end)
      assert.equal(entries.length, 3)
      assert.match(error!, expected)
    }
  })

  // Goal: whatever has no end is refused, without holding it.
  const endlessTexts: readonly (readonly [what: string, before: string, charsMax?: number])[] = [
    ['item', '<item><g:title>', 16_000_000],
    ['text', '<item><g:title>'],
    ['section', '<item><g:title><![CDATA['],
    ['tag', '<item><g:'],
    ['attribute', '<item a="'],
    ['comment', '<!--'],
    ['text between items', ''],
  ]
  for (const [what, before, charsMax = 1_000_000] of endlessTexts) {
    test(`is refused with an endless ${what}`, async () => {
      let bytes = 0
      async function* endless(): AsyncGenerator<Uint8Array> {
        yield Buffer.from(`<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${before}`)
        const piece = Buffer.alloc(1_000_000, 'x')
        for (;;) {
          await Promise.resolve()
          yield piece
          bytes += piece.length
        }
      }
      const usual = charsMax === 16_000_000
      const items = usual ? itemsOf(endless()) : itemsOf(endless(), charsMax)
      const most = charsMax.toLocaleString('en-US')
      await assert.rejects(Array.fromAsync(items), {
        message: new RegExp(`longer than ${most} ch`),
      })
      assert.ok(bytes < charsMax + 2_000_000, `${bytes} bytes were read`)
    })
  }

  test('is the same wherever its bytes are cut', async () => {
    const bytes = Buffer.from(
      rss('<item><g:id>é&#x1F3D5;😀</g:id><g:title><![CDATA[a]]b]]>&lt;c</g:title>\r\n</item>'),
    )
    async function* cutAt(at: number): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, at)
      await Promise.resolve()
      yield bytes.subarray(at)
    }
    for (let at = 0; at <= bytes.length; at++) {
      assert.deepEqual(await Array.fromAsync(itemsOf(cutAt(at))), [
        new Map([
          ['id', ['é🏕😀']],
          ['title', ['a]]b<c']],
        ]),
      ])
    }
  })

  // Goal: what was written is what is read. Method: the values are known before they are written
  // as text, as sections or with character references, under any prefix.
  test('is read as it was written', async () => {
    const hostile = fc.string({
      unit: fc.constantFrom(...HOSTILE),
      maxLength: 12,
    })
    const attribute = fc.record({
      name: fc.constantFrom('title', 'color', 'description', 'image_link', 'my_own'),
      text: hostile,
      how: fc.constantFrom('text', 'section', 'references'),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(attribute, { maxLength: 6 }), { maxLength: 4 }),
        fc.constantFrom('g', 'G', 'x.y', '_', 'é'),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        async (items, prefix, isInItem, size) => {
          const space = ` xmlns:${prefix}="http://base.google.com/ns/1.0"`
          const written = items.map((attributes) => {
            const inside = attributes.map(
              ({ name, text, how }) =>
                `<${prefix}:${name}>${WRITE[how]!(text)}</${prefix}:${name}>`,
            )
            return `<item${isInItem ? space : ''}>${inside.join(' ')}</item>`
          })
          const xml = `<rss${isInItem ? '' : space}><channel>${written.join('<!-- - -->')}</channel></rss>`
          const { entries, error } = await readFeed(xml, { size, asRows: true })
          assert.equal(error, undefined)
          assert.deepEqual(entries, items.map(expectedOf))
        },
      ),
      { numRuns: generatedRuns(200) },
    )
  })
})

interface Attribute {
  readonly name: string
  readonly text: string
  readonly how: string
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const WRITE: Readonly<Record<string, (text: string) => string>> = {
  text: escaped,
  section: (text) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`,
  references: (text) => [...text].map((one) => `&#${one.codePointAt(0)};`).join(''),
}

function expectedOf(attributes: readonly Attribute[]): Record<string, unknown> {
  const values = new Map<string, string[]>()
  for (const { name, text, how } of attributes) {
    // XML has one kind of line end; a reference keeps the other.
    const read = how === 'references' ? text : text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
    if (read.trim() === '') continue
    values.set(name, [...(values.get(name) ?? []), read.trim()])
  }
  return Object.fromEntries(
    [...values].map(([name, texts]) => [name, texts.length === 1 ? texts[0] : texts]),
  )
}
