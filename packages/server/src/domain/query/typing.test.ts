import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer, type Schema } from '@aisle/engine'
import { NaiveIndex } from '@aisle/engine/naive'
import { planSearch } from '../plan/plan-search.ts'

const schema: Schema = {
  fields: [{ name: 'title', type: 'string', searchable: true, facet: false, sort: false }],
}

/** Product names, by language. */
const NAMES: Readonly<Record<string, string>> = {
  en:
    'Waterproof hiking boots|Stainless steel water bottle|Wireless charging pad|Cotton bath towel set|Adjustable desk lamp|' +
    'Noise cancelling headphones|Cast iron skillet|Folding camping chair|Bluetooth 5.3 speaker|USB-C hub 7 in 1|' +
    "Kids' rain jacket|Electric toothbrush heads",
  de:
    'Wasserdichte Wanderschuhe|Edelstahl Trinkflasche 750 ml|Kabellose Ladestation|Badehandtuch aus Baumwolle|Höhenverstellbarer Schreibtisch|' +
    'Faltbarer Campingstuhl|Gusseisenpfanne 28 cm|Regenjacke für Kinder|Elektrische Zahnbürste|Nachttischlampe mit Dimmer|Fahrradhelm L|Küchenmaschine',
  fr:
    'Chaussures de randonnée imperméables|Bouteille en acier inoxydable|Serviette de bain en coton|Lampe de bureau réglable|' +
    "Chaise de camping pliante|Poêle en fonte 28 cm|Veste de pluie enfant|Brosse à dents électrique|Casque d'écoute sans fil|Étagère murale",
  tr:
    'Su geçirmez yürüyüş botu|Paslanmaz çelik matara|Kablosuz şarj cihazı|Pamuklu banyo havlusu|Ayarlanabilir masa lambası|' +
    'Katlanır kamp sandalyesi|Döküm tava 28 cm|Çocuk yağmurluğu|Elektrikli diş fırçası|Işıklı gece lambası',
  ru:
    'Водонепроницаемые ботинки|Бутылка из нержавеющей стали|Беспроводная зарядка|Хлопковое полотенце|Настольная лампа|' +
    'Складной стул для кемпинга|Чугунная сковорода|Детская куртка|Электрическая зубная щётка|Наушники с шумоподавлением',
  ar:
    'حذاء مشي مقاوم للماء|زجاجة ماء من الفولاذ|شاحن لاسلكي سريع|منشفة حمام قطنية|مصباح مكتب قابل للتعديل|كرسي تخييم قابل للطي|' +
    'مقلاة حديد زهر|سترة مطر للأطفال|فرشاة أسنان كهربائية|سماعات عازلة للضوضاء',
  ko:
    '여행용 캐리어 20인치|노트북가방 15인치|LG그램 노트북|갤럭시S24케이스|무선 이어폰|스테인리스 텀블러|접이식 캠핑의자|면 목욕수건 세트|' +
    '전기밥솥 6인용|블루투스 스피커|아이폰15 충전기|값싼 등산화|닭가슴살 100g|과일칼 세트|USB허브 7포트|원목 책상',
  ja:
    '防水トレッキングシューズ|ステンレスボトル 500ml|ワイヤレスイヤホン|ゲーミングチェア|スマートフォンケース|アイフォンケース|折りたたみ椅子|' +
    '綿のバスタオル|電気ケトル|鉄のフライパン|らーめんどんぶり|コンピューターデスク|デジタルカメラ',
  zh: '防水登山鞋|不锈钢保温杯|无线蓝牙耳机|纯棉浴巾套装|可调节台灯|折叠露营椅|铸铁煎锅|儿童雨衣|电动牙刷|媽媽包大容量|手機殼透明|自行车头盔',
  th:
    'รองเท้าเดินป่ากันน้ำ|ขวดน้ำสแตนเลส|หูฟังไร้สาย|ผ้าเช็ดตัวผ้าฝ้าย|โคมไฟตั้งโต๊ะ|เก้าอี้แคมป์ปิ้งพับได้|กระทะเหล็กหล่อ|เสื้อกันฝนเด็ก|' +
    'แปรงสีฟันไฟฟ้า|กระเป๋าเดินทาง|หมวกกันน็อค|ความงาม',
}

/** What a box shows after each keystroke; in Korean, syllables form from the letters typed. */
function keystrokes(name: string): string[] {
  const states: string[] = []
  let typed = ''
  const letters = [...name]
  letters.forEach((letter, i) => {
    const parts = [...letter.normalize('NFD')]
    const isKorean = /^[가-힣]$/.test(letter)
    for (let end = 1; isKorean && end < parts.length; end++) {
      states.push(typed + parts.slice(0, end).join('').normalize('NFC'))
    }
    typed += letter
    states.push(typed)
    // The consonant of the next syllable first ends this one.
    const next = [...(letters[i + 1] ?? '').normalize('NFD')][0]
    const final = next === undefined ? -1 : INITIALS.indexOf(next)
    if (isKorean && parts.length === 2 && final >= 0 && FINALS[final]! > 0) {
      states.push(typed.slice(0, -1) + String.fromCharCode(letter.charCodeAt(0) + FINALS[final]!))
    }
  })
  return states
}

const INITIALS = Array.from({ length: 19 }, (_, i) => String.fromCharCode(0x1100 + i))
/** The final of a syllable that is the same consonant as an initial; 0: none. */
const FINALS = [1, 2, 4, 7, 0, 8, 16, 17, 0, 19, 20, 21, 22, 0, 23, 24, 25, 26, 27]

test('a Thai word of three letters may lack one', () => {
  const analyzer = createAnalyzer('th')
  const index = new NaiveIndex(schema, analyzer)
  index.add({ docKey: 1, id: 'one', values: ['ความเหลื่อมล้ำ'] })
  const { plan } = planSearch({ q: 'ควม' }, { schema, analyzer, nowMs: 0 })
  assert.equal(index.search(plan).found, 1)
})

suite('a product stays listed while its name is typed', () => {
  for (const [language, list] of Object.entries(NAMES)) {
    test(language, () => {
      const analyzer = createAnalyzer(language)
      const names = list.split('|')
      const index = new NaiveIndex(schema, analyzer)
      names.forEach((name, i) => {
        index.add({ docKey: i + 1, id: `product-${i}`, values: [name] })
      })
      const missing: string[] = []
      names.forEach((name, i) => {
        for (const q of keystrokes(name).slice(2)) {
          const { plan } = planSearch({ q }, { schema, analyzer, nowMs: 0 })
          const { hits } = index.search(plan)
          if (!hits.some(({ docKey }) => docKey === i + 1)) missing.push(q)
        }
      })
      assert.deepEqual(missing, [])
    })
  }
})
