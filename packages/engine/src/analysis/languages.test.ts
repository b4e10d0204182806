import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from './create-analyzer.ts'
import { fold } from './fold.ts'
import { stopwordsOf } from './stopwords.ts'

/** By language: groups of words that must find each other, and words that must not. */
const WORDS: Readonly<Record<string, { same: string; apart: string }>> = {
  de: {
    same:
      'Schuh Schuhe Schuhen Schuhs, Müller Mueller Muller, Köln Koeln Koln, Buch Bücher Büchern Buches, Haus Häuser Häusern ' +
      'Haeuser, grün gruen grüne grüner grünes, süß suess süss süße, Straße Strasse Straßen, Tisch Tische Tischen, Lampe Lampen, ' +
      'Flasche Flaschen, Kinder Kindern, schwarz schwarze schwarzer schwarzes schwarzen, Batterie Batterien, Statue Statuen, Größe Größen Groesse',
    apart:
      'Schuh Schule Hose Hase Haus Hals Tisch Tasche Tasse Buch Bauch Bild Lampe Lappen Kind Kanne Mutter Muster neu neun Poet Pot Bauer Feuer Farbe',
  },
  fr: {
    same:
      'chaussure chaussures, légère légères legere, cassé cassée cassés cassées casser, qualité qualités qualite, ' +
      'bouteille bouteilles, vert verte verts vertes, enfant enfants, lumière lumières lumiere, cheval chevaux, ' +
      'électrique électriques electrique, crème crèmes creme, bougie bougies, imprimé imprimée imprimés imprimées, table tables',
    apart:
      'chaussure chaussette chaise chemise cheval bouteille bouton botte vert verre veste enfant lampe lunette table tableau tapis crayon crabe rouge roue eau',
  },
  es: {
    same:
      'zapato zapatos, canción canciones cancion, estación estaciones estacion, camión camiones camion, rojo roja rojos rojas, niño niños nino, ' +
      'botella botellas, teléfono teléfonos telefono, eléctrico eléctrica eléctricos eléctricas electrico, pantalón pantalones pantalon, batería baterías bateria, ' +
      'pequeño pequeña pequeños pequeñas, cama camas, lámpara lámparas, silla sillas, blanco blanca blancos blancas, ligero ligera ligeros',
    apart:
      'zapato zapatilla camisa cama camión canción botella botón bota rojo ropa niño nieve lámpara lápiz mesa misa silla sello blanco banco verde',
  },
  it: {
    same:
      'scarpa scarpe, rosso rossa rossi rosse, bottiglia bottiglie, lampada lampade, elettrico elettrica elettrici, tavolo tavoli, bambino bambina bambini bambine, ' +
      'nero nera neri nere, libro libri, leggero leggera leggeri, città citta, sedia sedie, piccolo piccola piccoli piccole, bianco bianca',
    apart:
      'scarpa scatola sciarpa rosso rosa bottiglia bottone lampada tavolo tovaglia bambino banco nero neve libro letto legno sedia seta piccolo verde vetro',
  },
  pt: {
    same:
      'sapato sapatos, estação estações estacao, botão botões botao, confortável confortáveis confortavel, vermelho vermelha vermelhos vermelhas, garrafa garrafas, ' +
      'leão leões, criança crianças crianca, lâmpada lâmpadas lampada, preto preta pretos pretas, elétrico elétrica elétricos, bolsa bolsas, ligação ligações, pequeno pequena pequenos pequenas',
    apart:
      'sapato saia sabonete vermelho verde garrafa garfo criança cria lâmpada lápis preto prato bolsa bolo botão bota cama camisa caneta caneca mesa meia',
  },
  nl: {
    same:
      'schoen schoenen, fles flessen, boek boeken, lamp lampen, rood rode, groot grote groots, stoel stoelen, kast kasten, klein kleine, tafel tafels, ' +
      'jas jassen, bank banken, zwart zwarte, hoed hoeden, vrouw vrouwen, kat katten, batterij batterijen, warm warme, bed bedden, ' +
      'tas tassen, spel spellen, broek broeken, sok sokken, bril brillen, man mannen, trui truien, riem riemen',
    apart:
      'schoen school fles vlees boek broek lamp lam rood rond stoel stof kast kat klein kleur tafel tas jas jurk fiets film bank bed zwart zwaar bril',
  },
  sv: {
    same:
      'bord bordet borden bordets, flaska flaskor flaskan flaskorna, lampa lampor lampan, hus huset husen, röd röda rod, stol stolar stolen stolarna, ' +
      'bok boken, barn barnen barnens, svart svarta, liten litet, grön gröna, jacka jackor jackan, skåp skåpet skåpen skap, paket paketen, tröja tröjor tröjan',
    apart:
      'sko skola skjorta bord båt bok flaska flagga lampa lamm hus hund röd rum stol stövel barn bana svart sval jacka jord skåp paket planet nyhet',
  },
  nb: {
    same:
      'skoene skoen, bord bordet bordene, flaske flasker flasken flaskene, lampe lamper lampen, hus huset husene, rød røde rod, stol stoler stolen stolene, ' +
      'barn barnet barna, svart svarte, grønn grønne, jakke jakker jakken, skap skapet, gensere genseren, Håndkle Haandkle',
    apart:
      'skole skjorte bord båt bok flaske flagg lampe hus hund rød rom stol støvel barn bane svart jakke jord skap skip genser grense',
  },
  da: {
    same:
      'bord bordet borde bordene, flaske flasker flasken flaskerne, lampe lamper lampen, hus huset huse husene, rød røde rod, stol stole stolen stolene, ' +
      'barn barnet, sort sorte, grøn grønne, jakke jakker jakken, skab skabet skabe, møbel moebel, Århus Aarhus, taske tasker tasken',
    apart:
      'skole skjorte bord båd bog flaske flag lampe hus hund rød rum stol støvle barn bane sort jakke jord skab skib taske tand',
  },
  fi: {
    same:
      'pöytä pöytää poyta, lamppu lamppua lampussa, talo talon talossa talosta taloja, punaisen punaiset, ' +
      'kirja kirjan kirjat kirjassa kirjaa, pullo pullon pullot pulloa, mustan mustat mustaa, takki takin, auto auton autot autossa, koira koiran koirat koiraa',
    apart:
      'kenkä pöytä lamppu talo punainen tuoli kirja pullo musta takki auto koira kissa vihreä sininen laukku housut paita hattu',
  },
  ru: {
    same:
      'туфля туфли, красный красная красное красные красного, бутылка бутылки бутылку, стол столы стола столов, книга книги книгу, ' +
      'ёлка елка елки, синий синяя синие, лампа лампы лампу, чёрный черный черная черные, батарейка батарейки, детский детская детские детское',
    apart:
      'туфля тумба красный краска бутылка булка стол стул книга елка синий лампа лапа черный чай батарейка батон детский дом',
  },
  hu: {
    same: 'cipő cipők, asztal asztalok asztalt asztalon, könyv könyvek könyvet konyv, lámpa lámpák, ház házak házban, szék székek, táska taska',
    apart: 'cipő asztal könyv lámpa ház szék gyerek táska piros zöld kabát palack',
  },
  ro: {
    same: 'carte carti, lampă lampi, instalație instalații instalatie, scaun scaune scaunul scaunele, telefon telefonul',
    apart: 'carte scaun telefon verde geantă copil pantof lapte apă',
  },
  tr: {
    same: 'kitap kitaplar kitabı kitapları KİTAP kıtap, ışık isik IŞIK, çanta canta, lamba lambalar, sandalye sandalyeler',
    apart: 'kitap çanta masa lamba sandalye elbise gömlek mavi siyah',
  },
  uk: {
    same: 'куртка куртки куртку, червоний червона червоне червоні, лампа лампи, книга книги книгу',
    apart: 'куртка червоний лампа книга стіл синій дитячий',
  },
  el: {
    same: 'ΠΑΠΟΎΤΣΙ παπούτσι παπουτσι παπούτσια, βιβλίο βιβλιο, κόκκινος κόκκινη κόκκινο ΚΟΚΚΙΝΟΣ, τραπέζι τραπέζια',
    apart: 'παπούτσι βιβλίο κόκκινος τραπέζι λάμπα μπλε παιδί',
  },
  ar: {
    same: 'كِتَاب كتاب كتـاب, أحمد احمد, مدرسة مدرسه',
    apart: 'كتاب حذاء قلم مدرسة بيت',
  },
  ja: {
    same: 'コンピューター コンピュータ ｺﾝﾋﾟｭｰﾀ, りんご リンゴ ﾘﾝｺﾞ, めがね メガネ, ねこ ネコ',
    apart: '靴 カメラ 傘 ビル ビール ビーム カバン かさ',
  },
  zh: {
    same: '手機 手机, 藍牙 蓝牙, 乾燥 干燥, 漢字 汉字, 頭髮 头发, 臺灣 台灣 台湾',
    apart: '手机 耳机 运动 咖啡 头发 皮带 电视',
  },
}

/** All languages with rules, and one without. */
const LANGUAGES = [
  ...Object.keys(WORDS),
  ...'en no nn id ga hi hy lt ta pl cs sk he ko yue xx'.split(' '),
]

const SAMPLES = Object.values(WORDS).flatMap(({ same, apart }) => `${same} ${apart}`.split(/[ ,]+/))

function stems(language: string, words: string): string[] {
  const analyzer = createAnalyzer(language)
  return words.split(' ').map((word) => {
    const [token] = analyzer.analyze(word)
    return analyzer.stem(token!.form)
  })
}

suite('languages', () => {
  for (const [language, { same, apart }] of Object.entries(WORDS)) {
    test(`${language}: inflections and spellings of a word share a stem, other words do not`, () => {
      for (const group of same.split(', ')) {
        assert.equal(
          new Set(stems(language, group)).size,
          1,
          `${group}: ${stems(language, group).join()}`,
        )
      }
      const found = stems(language, apart)
      assert.equal(new Set(found).size, found.length, found.join())
    })
  }

  test('Norwegian has one stemmer for all of its tags', () => {
    assert.equal(createAnalyzer('no').stem('stolene'), createAnalyzer('nn').stem('stolene'))
    assert.ok(createAnalyzer('no').isStopword('og'))
  })

  test('common words are stopwords once folded, words about products are not', () => {
    const little = 'de:für de:mit fr:où es:él pt:até it:è sv:på ru:её nb:på fi:ja nl:het tr:için'
    for (const pair of little.split(' ')) {
      const [language, word] = pair.split(':')
      const analyzer = createAnalyzer(language)
      assert.ok(analyzer.isStopword(analyzer.fold(word!)), pair)
    }
    const meant =
      'de:ohne de:kein de:rot fr:sans fr:pas es:sin it:senza pt:sem nl:zonder sv:utan ru:без'
    for (const pair of meant.split(' ')) {
      const [language, word] = pair.split(':')
      assert.ok(!createAnalyzer(language).isStopword(word!), pair)
    }
  })

  test('stopwords are folded', () => {
    for (const language of LANGUAGES) {
      for (const word of stopwordsOf(language)) assert.equal(fold(word), word, language)
    }
  })

  test('a decimal comma becomes a point, and a point before three digits is dropped', () => {
    const forms = (language: string, text: string): string =>
      createAnalyzer(language)
        .analyze(text)
        .filter((token) => token.kind !== 'joined')
        .map((token) => token.form)
        .join(' ')
    assert.equal(forms('de', '2,5 kg 1.000 ml 1.250,50'), '2.5 kg 1000 ml 1250.50')
    assert.equal(forms('fr', '0,125 0.125 1,2,3 3,5x4'), '0.125 0.125 1 2 3 3.5 x 4')
    assert.equal(forms('en', '2,5 1,000'), '2 5 1000')
  })
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .array(fc.constantFrom(...SAMPLES, ' ', '-', '5 m', '2,5', '\ud800', '\u0301'), {
      maxLength: 12,
    })
    .map((parts) => parts.join('')),
)

suite('in every language', () => {
  test('any text has exact offsets, folded forms, and stems that begin like their forms', () => {
    const language = fc.constantFrom(...LANGUAGES)
    fc.assert(
      fc.property(language, anyText, (language, text) => {
        const analyzer = createAnalyzer(language)
        const tokens = analyzer.analyze(text)
        assert.deepEqual(analyzer.analyze(text), tokens)
        for (const { form, start, end } of tokens) {
          assert.ok(start < end && end <= text.length)
          assert.equal(analyzer.fold(form), form)
          const stem = analyzer.stem(form)
          assert.ok((analyzer.firstLetters?.(stem) ?? stem).includes(form[0]!), form)
          assert.equal(analyzer.fold(stem), stem)
        }
      }),
      { numRuns: 4000 },
    )
  })

  test('a word of a text is the same word when typed alone', () => {
    const words = fc.array(fc.constantFrom(...SAMPLES), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGES), words, (language, words) => {
        const analyzer = createAnalyzer(language)
        const text = words.join(' ')
        for (const token of analyzer.analyze(text)) {
          if (token.kind !== 'word') continue
          const alone = analyzer.analyze(text.slice(token.start, token.end))
          assert.ok(
            alone.some((other) => other.form === token.form),
            token.form,
          )
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('two adjacent characters of a text without spaces are a form of it', () => {
    const characters = fc.array(fc.constantFrom(...'我喜欢手机壳東京タワーコンかな登山รองเท้า'), {
      minLength: 2,
      maxLength: 12,
    })
    fc.assert(
      fc.property(characters, (characters) => {
        const text = characters.join('').normalize('NFC')
        const forms = new Set(
          createAnalyzer('ja')
            .analyze(text)
            .map((token) => token.form),
        )
        const clusters = text.match(/[^\p{M}]\p{M}*|^\p{M}+/gu)!
        for (let i = 1; i < clusters.length; i++) {
          assert.ok(forms.has(fold(clusters[i - 1]! + clusters[i]!)), text)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
