import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

/** Numbers of as many shapes as a real catalog has, and two that could be fractions. */
const NUMBERS = `
  Q8705A C8556A SR1630GP CP4005dn FB6615 SHC8565 T603500 T063420 SHE2550/00 HD7567/20 SHS3200/10
  SHL9600/10 1658B002 108R00748 497K04730 18C0034 PM-4004 NPG-13 GPR-11 UPD-202 BP-970G LC-980M
  PFI-302PGY LC-980Y X264H31G T654X31E BX80532KE2800E R03NUB4A EF-QA207TTEGWW KD-DB912BT TC-DC58A
  TM-H5000IIP DUB-M610 C-EXV10 DVP3100V/01 SWA2438W/10 C13S015086 BX80532KE083512 10DMW47SP
  35FCREAD20BK 1284-B PC2-3200 G80-1190 L6-30P BA43-00208A 5150D/5150DLT 220SW9FS/00 42PFL5522D/05
  EL2/EL1 E33/E34 DN4S2J05F/10 DM4S6C05F/00 CR7D5JJ10/00 HX437C19FB3/8 745TQ-800B SR-8A4 SF-32N4
  SA1VBE04RW/17 FM16FD05B/00 A10M-242 HX430C16FB3K2/64 CLP-510D2Y CR1/3N PA100-UK E1900S-B2
  10SER-273 SC512L-260B 4X40X54258 EC.J8700.001 CR7D5NP10 DGS-1016D/E DGS-1210-48 15-ed0245ng
  RS-1215-20T S26391-F778-L400 G35DX-DS73S EMP-TW200/500 G55-MDDE32LPDF 1000BASE-SX 7345XL/17
  VB-DPD55S1 No.37A CSE-510L-200B BP24V15RT2U DC535/DC545/DC555 RJ45/DB9M 213A-R900LPB 32PF5321/12
  80528PC033G0K AT-X600-48TS PF17.0W TM-U290/II MFC-9160/MFC-9180 BE550G-SP PDW18L21-20XC
  PWS-865-PQ IEC-320-C20 S533FA-DS51-RD CSE-846TQ-R1200B RM1-3525-000CN AT-FS708LE-50 T640/642/644
  9130i700T-XL 9130i3000R-XL2U PLQ-20/22 C6000n/C6000dn SYBT9-B4 593-10239 EC.K0100.001
  KB.INT00.038 SPA2600/00 HQ9/40 81-7958 TL-PS310U NC10U3 PWLA8490MFBLK5 LE-40R88BD RTX4090OC
  C-136/14 HU-718/5
`
  .trim()
  .split(/\s+/)

/** Documents that share the letters or the digits of a number. */
const OTHERS = NUMBERS.flatMap((number) => [
  number.replaceAll(/\d/g, (digit) => `${(Number(digit) * 7 + 3) % 10}`),
  number.replaceAll(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ 1)),
])

const THINGS = 'toner cable headset switch notebook label battery monitor shaver'.split(' ')

const SEPARATORS = /[^a-z0-9]+/gi
/** Where a part number can be split: between a letter and a digit, and at separators. */
const BORDER = /(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])|[^a-z0-9]+/gi
const HEAD_LENGTH_MIN = 3
const TAIL_LENGTH_MIN = 4
/** Two numbers joined by a slash are a tail from this number of digits on. */
const PAIR_LENGTH_MIN = 3
/** An ending without a digit is not a number. */
const isTail = (ending: string): boolean => {
  const min = /^\d+\/\d+$/.test(ending) ? PAIR_LENGTH_MIN : TAIL_LENGTH_MIN
  return ending.replaceAll(SEPARATORS, '').length >= min && /\d/.test(ending)
}
/** A number is found if it is among the first of the hits. */
const RANK_MAX = 3

/**
 * The shortest beginning of three characters or more that ends at a border, with more than one
 * letter after the border before it.
 */
function headOf(number: string): string {
  const ends = [...number.matchAll(BORDER)].map(({ index }) => index)
  const isHead = (head: string) => head.length >= HEAD_LENGTH_MIN && !/(^|[^a-z])[a-z]$/i.test(head)
  return number.slice(
    0,
    ends.find((end) => isHead(number.slice(0, end))),
  )
}

/** The shortest ending that is a tail and begins at a border. */
function tailOf(number: string): string {
  const ends = [...number.matchAll(BORDER)].map(({ index, 0: border }) => index + border.length)
  return number.slice(ends.findLast((at) => isTail(number.slice(at))) ?? 0)
}

/** A blank at each border, in place of a separator or beside both sides. */
function withBlank(number: string): string[] {
  return [...number.matchAll(BORDER)].map(
    ({ index, 0: border }) => `${number.slice(0, index)} ${number.slice(index + border.length)}`,
  )
}

const WAYS: Readonly<Record<string, (number: string) => readonly string[]>> = {
  'as it is': (number) => [number],
  'in lower case': (number) => [number.toLowerCase()],
  'without separators': (number) => [number.replaceAll(SEPARATORS, '')],
  'by its head': (number) => [headOf(number)],
  'by its tail': (number) => [tailOf(number)],
  'with one blank in it': withBlank,
}

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())

suite('part numbers', async () => {
  const store = await testApp.createStore('parts')
  const send = (path: string, body: unknown) =>
    testApp.call({
      method: 'POST',
      url: `/api/v1/stores/${store.id}/${path}`,
      headers: store.write,
      body,
    })
  await send('schema', { fields: [{ name: 'title', type: 'string', searchable: true }] })
  const numbers = [...new Set([...NUMBERS, ...OTHERS])]
  const documents = numbers.map((number, i) => ({
    id: `d${i}`,
    data: { title: `Nordfell ${number} ${THINGS[i % THINGS.length]!}` },
  }))
  assert.equal((await send('documents/bulk', documents)).json().success, true)

  for (const [way, queriesOf] of Object.entries(WAYS)) {
    test(`${NUMBERS.length} part numbers are found ${way}`, async () => {
      const missed: string[] = []
      for (const number of NUMBERS) {
        for (const q of queriesOf(number)) {
          const answer = await testApp.call({
            method: 'POST',
            url: '/v1/search',
            headers: store.read,
            body: { q, per_page: 20 },
          })
          const hits: { id: string }[] = answer.json().hits
          const titles = hits.map(({ id }) => numbers[Number(id.slice(1))]!)
          const rank = titles.indexOf(number)
          // Numbers that share the piece are as good.
          const isShared = (title: string) => title.toLowerCase().includes(q.toLowerCase())
          const before = titles.slice(0, Math.max(0, rank)).filter((title) => !isShared(title))
          if (rank < 0 || before.length >= RANK_MAX) {
            missed.push(`${number} by ${q}: ${titles.slice(0, 3).join(', ')}`)
          }
        }
      }
      assert.deepEqual(missed, [])
    })
  }
})
