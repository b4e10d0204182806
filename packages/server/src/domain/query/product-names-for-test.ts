/** Products of a shop in one language. */
export interface ShopNames {
  /** 40 product names, typed by the tests. */
  readonly typed: readonly string[]
  /** Some hundred other names: each first part with each second part. */
  readonly others: readonly string[]
}

function shop(typed: string, first: string, second: string, space = ' '): ShopNames {
  const seconds = second.split('|')
  const others = first.split('|').flatMap((a) => seconds.map((b) => `${a}${space}${b}`))
  return { typed: typed.split('|'), others }
}

/** By language. */
export const SHOPS: Readonly<Record<string, ShopNames>> = {
  en: shop(
    'Waterproof hiking boots|Stainless steel water bottle|Wireless charging pad|Cotton bath towel set|' +
      'Adjustable desk lamp|Noise cancelling headphones|Cast iron skillet|Folding camping chair|' +
      "Bluetooth 5.3 speaker|USB-C hub 7 in 1|Kids' rain jacket|Electric toothbrush heads|" +
      "Men's trail running shoes|Apple iPhone 15 128GB Black|Samsung Galaxy S24 Ultra|Memory foam pillow|" +
      'Non-stick frying pan 28 cm|Cordless drill 18V|Yoga mat with strap|LED strip lights 5 m|' +
      'Dog harness, no-pull|Robot vacuum cleaner|Espresso machine|French press coffee maker|' +
      'Mechanical keyboard RGB|4K HDMI cable 2 m|Backpack 30L|Garden hose 25 m|Baby car seat|' +
      'Wool hiking socks 3-pack|Solar power bank 20000mAh|Board game for families|Gaming monitor 27"|' +
      "Women's leather handbag|Air fryer XL|Toilet paper 24 rolls|Sunglasses polarized|Cycling helmet|" +
      'Electric kettle 1.7 L|Weighted blanket 7 kg',
    'Red|Small|Vintage|Wooden|Kids|Travel|Outdoor|Garden|Kitchen|Soft|Classic|Luxury|Electric|Cotton|Steel',
    'watch|mug|table|shelf|carpet|hat|gloves|candle|mirror|clock|basket|curtain|notebook|vase|umbrella|' +
      'scarf|wallet|tray|bowl|stand',
  ),
  de: shop(
    'Wasserdichte Wanderschuhe|Edelstahl Trinkflasche 750 ml|Kabellose Ladestation|' +
      'Badehandtuch aus Baumwolle|Höhenverstellbarer Schreibtisch|Faltbarer Campingstuhl|' +
      'Gusseisenpfanne 28 cm|Regenjacke für Kinder|Elektrische Zahnbürste|Nachttischlampe mit Dimmer|' +
      'Fahrradhelm L|Küchenmaschine|Akkuschrauber 18V|Gartenschlauch 25 m|Bluetooth-Lautsprecher|' +
      'Staubsaugerbeutel 10 Stück|Kaffeevollautomat|Mülleimer 50 l|Damen Winterstiefel|Herren-Laufschuhe|' +
      'Bettwäsche 135x200|Wäscheständer ausziehbar|Größenverstellbarer Rucksack|USB-C Ladekabel 2 m|' +
      'Heißluftfritteuse|Trockenfutter für Hunde|Kinderfahrrad 16 Zoll|Schlafsack -10 °C|Grillzange|' +
      'Bohrmaschine mit Koffer|Türstopper weiß|Kopfhörer mit Geräuschunterdrückung|Sonnencreme LSF 50|' +
      'Weinglas 6er-Set|Lenkradbezug|Duschvorhang 180x200|Straßenmalkreide|Übertopf aus Keramik|' +
      'Feuerlöscher 6 kg|Milchaufschäumer',
    'Rote|Kleine|Moderne|Hölzerne|Kinder|Reise|Outdoor|Garten|Küchen|Weiche|Klassische|Damen|Herren|Baumwoll|Stahl',
    'Uhr|Tasse|Schale|Mütze|Kerze|Vase|Decke|Lampe|Tasche|Bürste|Kanne|Matte|Kiste|Hose|Dose|Leiste|Gabel|Pfanne|Truhe|Brille',
  ),
  fr: shop(
    'Chaussures de randonnée imperméables|Bouteille en acier inoxydable|Serviette de bain en coton|' +
      'Lampe de bureau réglable|Chaise de camping pliante|Poêle en fonte 28 cm|Veste de pluie enfant|' +
      "Brosse à dents électrique|Casque d'écoute sans fil|Étagère murale|Aspirateur robot|" +
      'Machine à café expresso|Tapis de yoga antidérapant|Sac à dos 30 L|Enceinte Bluetooth|Perceuse sans fil 18V|' +
      "Tuyau d'arrosage 25 m|Couette 220x240|Oreiller à mémoire de forme|Câble USB-C 2 m|Bouilloire 1,7 L|" +
      'Croquettes pour chat stérilisé|Poussette compacte|Friteuse à air|Crème solaire SPF 50|Écran PC 27 pouces|' +
      "Clavier mécanique|Souris d'ordinateur|Coque iPhone 15|Montre connectée|Sèche-cheveux ionique|" +
      "Fer à repasser vapeur|Jeu de société familial|Vélo d'appartement|Rideau de douche|Œufs en chocolat|" +
      "Huile d'olive vierge extra|Porte-clés en cuir|Lunettes de soleil polarisées|Bottes d'hiver femme",
    'Table|Boîte|Pot|Sac|Cadre|Miroir|Panier|Bougie|Tapis|Coussin|Horloge|Chapeau|Gants|Carnet|Plateau',
    'rouge|en bois|pour enfant|de voyage|en coton|moderne|classique|de jardin|de cuisine|en verre|pliable|noir|blanc|bleu|en métal|rond|carré|doux|léger|vintage',
  ),
  es: shop(
    'Botas de montaña impermeables|Botella de acero inoxidable|Cargador inalámbrico|Toalla de baño de algodón|' +
      'Lámpara de escritorio|Silla plegable de camping|Sartén de hierro fundido 28 cm|Chubasquero para niños|' +
      'Cepillo de dientes eléctrico|Auriculares con cancelación de ruido|Robot aspirador|Cafetera espresso|' +
      'Esterilla de yoga|Mochila 30 L|Altavoz Bluetooth|Taladro inalámbrico 18V|Manguera de jardín 25 m|' +
      'Edredón nórdico 220|Almohada viscoelástica|Cable USB-C 2 m|Hervidor de agua 1,7 L|Pienso para gatos|' +
      'Cochecito de bebé|Freidora de aire|Crema solar SPF 50|Monitor gaming 27 pulgadas|Teclado mecánico|' +
      'Ratón inalámbrico|Funda iPhone 15|Reloj inteligente|Secador de pelo|Plancha de vapor|' +
      'Juego de mesa familiar|Bicicleta estática|Cortina de ducha|Aceite de oliva virgen extra|' +
      'Gafas de sol polarizadas|Zapatillas de correr hombre|Pañales talla 4|Jamón ibérico loncheado',
    'Mesa|Caja|Bolsa|Marco|Espejo|Cesta|Vela|Alfombra|Cojín|Gorro|Guantes|Libreta|Bandeja|Taza|Maceta',
    'roja|de madera|infantil|de viaje|de algodón|moderna|clásica|de jardín|de cocina|de cristal|plegable|negra|blanca|azul|de metal|redonda|suave|ligera|vintage|grande',
  ),
  nl: shop(
    'Waterdichte wandelschoenen|Roestvrijstalen drinkfles|Draadloze oplader|Badhanddoek katoen|' +
      'Verstelbare bureaulamp|Opvouwbare campingstoel|Gietijzeren koekenpan 28 cm|Kinderregenjas|' +
      'Elektrische tandenborstel|Koptelefoon met ruisonderdrukking|Robotstofzuiger|Koffiezetapparaat|' +
      'Yogamat antislip|Rugzak 30 L|Bluetooth speaker|Accuboormachine 18V|Tuinslang 25 m|Dekbedovertrek 240x220|' +
      'Hoofdkussen traagschuim|USB-C kabel 2 m|Waterkoker 1,7 L|Kattenvoer zalm|Kinderwagen|Airfryer XL|' +
      'Zonnebrandcrème SPF 50|Gaming monitor 27 inch|Mechanisch toetsenbord|Draadloze muis|iPhone 15 hoesje|' +
      'Fietshelm volwassenen|Föhn met diffuser|Stoomstrijkijzer|Bordspel voor gezinnen|Hometrainer|' +
      'Douchegordijn 180x200|Olijfolie extra vierge|Zonnebril gepolariseerd|Dames winterlaarzen|' +
      'Luiers maat 4|Nachtlampje met sensor',
    'Rode|Kleine|Moderne|Houten|Kinder|Reis|Buiten|Tuin|Keuken|Zachte|Klassieke|Dames|Heren|Katoenen|Stalen',
    'klok|beker|tafel|plank|muts|kaars|vaas|deken|tas|borstel|mat|kist|broek|doos|vork|pan|bril|spiegel|mand|jas',
  ),
  tr: shop(
    'Su geçirmez yürüyüş botu|Paslanmaz çelik matara|Kablosuz şarj cihazı|Pamuklu banyo havlusu|' +
      'Ayarlanabilir masa lambası|Katlanır kamp sandalyesi|Döküm tava 28 cm|Çocuk yağmurluğu|' +
      'Elektrikli diş fırçası|Işıklı gece lambası|Gürültü önleyici kulaklık|Robot süpürge|Espresso makinesi|' +
      'Yoga matı|Sırt çantası 30 L|Bluetooth hoparlör|Akülü matkap 18V|Bahçe hortumu 25 m|Nevresim takımı|' +
      'Ortopedik yastık|USB-C kablo 2 m|Su ısıtıcı 1,7 L|Kedi maması|Bebek arabası|Fritöz yağsız|' +
      'Güneş kremi SPF 50|Oyuncu monitörü 27 inç|Mekanik klavye|Kablosuz fare|iPhone 15 kılıf|Akıllı saat|' +
      'Saç kurutma makinesi|Buharlı ütü|Aile kutu oyunu|Kondisyon bisikleti|Duş perdesi|Sızma zeytinyağı|' +
      'Polarize güneş gözlüğü|Kadın kışlık bot|İpek eşarp',
    'Kırmızı|Küçük|Modern|Ahşap|Çocuk|Seyahat|Dış mekan|Bahçe|Mutfak|Yumuşak|Klasik|Kadın|Erkek|Pamuklu|Çelik',
    'saat|kupa|masa|raf|halı|şapka|eldiven|mum|ayna|sepet|perde|defter|vazo|şemsiye|atkı|cüzdan|tepsi|kase|stand|kutu',
  ),
  ru: shop(
    'Водонепроницаемые ботинки|Бутылка из нержавеющей стали|Беспроводная зарядка|Хлопковое полотенце|' +
      'Настольная лампа|Складной стул для кемпинга|Чугунная сковорода|Детская куртка|' +
      'Электрическая зубная щётка|Наушники с шумоподавлением|Робот-пылесос|Кофемашина автоматическая|' +
      'Коврик для йоги|Рюкзак городской 30 л|Колонка Bluetooth|Дрель-шуруповёрт 18В|Шланг садовый 25 м|' +
      'Постельное бельё|Подушка ортопедическая|Кабель USB-C 2 м|Чайник электрический|Корм для кошек|' +
      'Коляска прогулочная|Аэрогриль|Солнцезащитный крем|Игровой монитор 27"|Механическая клавиатура|' +
      'Мышь беспроводная|Чехол для iPhone 15|Умные часы|Фен для волос|Утюг с отпаривателем|' +
      'Настольная игра для семьи|Велотренажёр|Штора для ванной|Оливковое масло|Очки солнцезащитные|' +
      'Женские зимние сапоги|Подгузники размер 4|Шёлковый шарф',
    'Красный|Маленький|Современный|Деревянный|Детский|Дорожный|Садовый|Кухонный|Мягкий|Женский|Мужской|Стальной|Белый|Чёрный|Большой',
    'стол|ковёр|чемодан|шкаф|фонарь|нож|поднос|зонт|кошелёк|блокнот|халат|плед|ящик|диван|стакан|горшок|ремень|костюм|набор|браслет',
  ),
  ar: shop(
    'حذاء مشي مقاوم للماء|زجاجة ماء من الفولاذ|شاحن لاسلكي سريع|منشفة حمام قطنية|مصباح مكتب قابل للتعديل|' +
      'كرسي تخييم قابل للطي|مقلاة حديد زهر|سترة مطر للأطفال|فرشاة أسنان كهربائية|سماعات عازلة للضوضاء|' +
      'مكنسة روبوت ذكية|ماكينة قهوة إسبريسو|سجادة يوغا|حقيبة ظهر 30 لتر|مكبر صوت بلوتوث|مثقاب لاسلكي|' +
      'خرطوم حديقة|طقم ملاءات سرير|وسادة طبية|كابل USB-C|غلاية كهربائية|طعام قطط|عربة أطفال|قلاية هوائية|' +
      'كريم واقي الشمس|شاشة ألعاب 27 بوصة|لوحة مفاتيح ميكانيكية|فأرة لاسلكية|غطاء آيفون 15|ساعة ذكية|' +
      'مجفف شعر|مكواة بخار|لعبة لوحية عائلية|دراجة تمرين|ستارة دش|زيت زيتون بكر|نظارة شمسية|حفاضات مقاس 4|' +
      'القرآن الكريم|وشاح حرير',
    'طاولة|علبة|كيس|إطار|مرآة|سلة|شمعة|قبعة|قفازات|دفتر|صينية|كوب|مزهرية|محفظة|مظلة',
    'حمراء|خشبية|صغيرة|للسفر|حديثة|كلاسيكية|للحديقة|للمطبخ|زجاجية|سوداء|بيضاء|زرقاء|معدنية|دائرية|ناعمة|خفيفة|كبيرة|ملونة|فاخرة|للأطفال',
  ),
  ko: shop(
    '여행용 캐리어 20인치|노트북가방 15인치|LG그램 노트북|갤럭시S24케이스|무선 이어폰|스테인리스 텀블러|' +
      '접이식 캠핑의자|면 목욕수건 세트|전기밥솥 6인용|블루투스 스피커|아이폰15 충전기|값싼 등산화|' +
      '닭가슴살 100g|과일칼 세트|USB허브 7포트|원목 책상|로봇청소기|캡슐커피머신|요가매트 10mm|' +
      '여성용 롱패딩|남성 운동화 270|기계식 키보드|게이밍 모니터 27인치|고양이 사료 2kg|유모차 휴대용|' +
      '에어프라이어 5L|선크림 SPF50|물티슈 100매|강아지 간식|스마트워치|헤어드라이기|스팀다리미|보드게임|' +
      '실내자전거|샤워커튼|올리브유 500ml|편광 선글라스|겨울 부츠|기저귀 4단계|홈카페 원두 1kg',
    '빨간|작은|현대적인|나무|어린이|여행|야외|정원|주방|부드러운|클래식|여성|남성|순면|고급',
    '시계|머그컵|탁자|선반|카펫|모자|장갑|양초|거울|바구니|커튼|공책|꽃병|우산|목도리|지갑|쟁반|그릇|받침대|상자',
  ),
  ja: shop(
    '防水トレッキングシューズ|ステンレスボトル 500ml|ワイヤレスイヤホン|ゲーミングチェア|スマートフォンケース|' +
      'アイフォンケース|折りたたみ椅子|綿のバスタオル|電気ケトル|鉄のフライパン|らーめんどんぶり|' +
      'コンピューターデスク|デジタルカメラ|ロボット掃除機|コーヒーメーカー|ヨガマット 10mm|リュックサック 30L|' +
      'ブルートゥーススピーカー|電動ドリル|園芸ホース|羽毛布団 シングル|低反発まくら|USBケーブル 2m|' +
      'キャットフード|ベビーカー 軽量|ノンフライヤー|日焼け止め SPF50|液晶モニター 27インチ|' +
      'メカニカルキーボード|ワイヤレスマウス|スマートウォッチ|ヘアドライヤー|スチームアイロン|ボードゲーム|' +
      'エアロバイク|シャワーカーテン|オリーブオイル|偏光サングラス|レディースブーツ|紙おむつ Mサイズ',
    '赤い|小さな|モダンな|木製|子供用|旅行用|屋外用|ガーデン|キッチン|柔らかい|クラシック|婦人|紳士|コットン|高級',
    '時計|マグカップ|テーブル|棚|カーペット|帽子|手袋|キャンドル|鏡|かご|カーテン|ノート|花瓶|傘|マフラー|財布|トレー|茶碗|スタンド|箱',
    '',
  ),
  zh: shop(
    '防水登山鞋|不锈钢保温杯|无线蓝牙耳机|纯棉浴巾套装|可调节台灯|折叠露营椅|铸铁煎锅|儿童雨衣|电动牙刷|' +
      '媽媽包大容量|手機殼透明|自行车头盔|扫地机器人|意式咖啡机|瑜伽垫加厚|双肩背包30升|蓝牙音箱便携|' +
      '充电电钻18V|花园水管25米|四件套床上用品|记忆棉枕头|数据线快充2米|电热水壶1.7升|猫粮成猫5kg|' +
      '婴儿推车轻便|空气炸锅家用|防晒霜SPF50|电竞显示器27寸|机械键盘青轴|无线鼠标静音|苹果15手机壳|' +
      '智能手表|吹风机大功率|蒸汽熨斗|桌游家庭聚会|动感单车|浴帘防水|橄榄油特级初榨|偏光太阳镜|雪地靴女冬季',
    '红色|小号|现代|木制|儿童|旅行|户外|花园|厨房|柔软|经典|女士|男士|全棉|高级',
    '手表|马克杯|桌子|书架|地毯|帽子|手套|蜡烛|镜子|篮子|窗帘|笔记本|花瓶|雨伞|围巾|钱包|托盘|碗|支架|盒子',
    '',
  ),
  th: shop(
    'รองเท้าเดินป่ากันน้ำ|ขวดน้ำสแตนเลส|หูฟังไร้สาย|ผ้าเช็ดตัวผ้าฝ้าย|โคมไฟตั้งโต๊ะ|เก้าอี้แคมป์ปิ้งพับได้|' +
      'กระทะเหล็กหล่อ|เสื้อกันฝนเด็ก|แปรงสีฟันไฟฟ้า|กระเป๋าเดินทาง|หมวกกันน็อค|ความงาม|หุ่นยนต์ดูดฝุ่น|' +
      'เครื่องชงกาแฟ|เสื่อโยคะ|ลำโพงบลูทูธ|สว่านไร้สาย 18V|สายยางรดน้ำ 25 เมตร|ชุดผ้าปูที่นอน|หมอนเมมโมรี่โฟม|' +
      'สายชาร์จ USB-C|กาต้มน้ำไฟฟ้า|อาหารแมว|รถเข็นเด็ก|หม้อทอดไร้น้ำมัน|ครีมกันแดด SPF50|จอเกมมิ่ง 27 นิ้ว|' +
      'คีย์บอร์ดเมคานิคอล|เมาส์ไร้สาย|เคสไอโฟน 15|นาฬิกาอัจฉริยะ|ไดร์เป่าผม|เตารีดไอน้ำ|บอร์ดเกมครอบครัว|' +
      'จักรยานออกกำลังกาย|ม่านอาบน้ำ|น้ำมันมะกอก|แว่นกันแดด|ผ้าอ้อมเด็ก|ผ้าพันคอไหม',
    'โต๊ะ|กล่อง|ถุง|กรอบรูป|กระจก|ตะกร้า|เทียน|พรม|หมอน|หมวก|ถุงมือ|สมุด|ถาด|แก้ว|แจกัน',
    'สีแดง|ไม้|สำหรับเด็ก|เดินทาง|สมัยใหม่|คลาสสิก|ในสวน|ในครัว|แก้ว|พับได้|สีดำ|สีขาว|สีฟ้า|โลหะ|กลม|นุ่ม|เบา|ใหญ่|หรูหรา|ขนาดเล็ก',
    '',
  ),
}
