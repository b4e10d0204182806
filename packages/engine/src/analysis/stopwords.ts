/**
 * Stopwords by primary language subtag: articles, conjunctions, prepositions, pronouns and the most
 * common auxiliaries, folded. As in English, words for a size, a colour, a quantity or a negation
 * (ohne, sans, sin, without) say something about a product and are excluded, and so are words
 * spelled like a product of the same language.
 */
const LISTS: Readonly<Record<string, string>> = {
  de:
    'der die das den dem des ein eine einen einem einer eines und oder aber als wie wenn dass weil ' +
    'in im ins an am ans auf aus bei beim bis durch fur gegen mit nach seit uber um unter von vom vor zu ' +
    'zum zur zwischen fuer ueber ich du er sie es wir ihr mich mir dich dir sich uns euch ihm ihn ihnen ' +
    'mein meine meinen meinem meiner dein deine sein seine seinen seinem seiner ihre ihren ihrem ihrer ' +
    'unser unsere euer dieser diese dieses diesen diesem welche welcher welches was wer wo ist sind war ' +
    'waren wird werden wurde wurden bin bist hat haben hatte hatten kann konnen koennen soll muss mussen ' +
    'auch noch so da dort hier man',
  nl:
    'de het een en of maar als dan dat die dit deze der des te ter ten in op aan bij door met naar om ' +
    'onder over tot tussen uit van voor tegen via ik je jij u uw hij zij ze we wij jullie hun hen haar ' +
    'hem mij mijn zijn jouw ons onze er wat wie waar is was waren ben bent wordt worden werd heeft hebben ' +
    'had kan kunnen zal zullen moet ook nog zo hier daar',
  sv:
    'en ett den det de dem och eller men om att som an av i pa till fran for med under over vid hos mot ' +
    'mellan genom efter fore jag du han hon vi ni mig dig sig oss er honom henne min mitt mina din ditt ' +
    'dina sin sitt sina var vart vara deras dess denna detta dessa vad vem vilken vilket vilka ar blir ' +
    'blev har hade kan ska skulle sa har dar ocksa',
  nb:
    'en ei et den det de dem og eller men om at som enn av i pa til fra for med under over ved hos mot ' +
    'mellom gjennom etter jeg eg du han hun ho vi dere dykk meg deg seg oss ham henne min mi mitt mine ' +
    'din di ditt dine sin si sitt sine var vare deres denne dette disse hva hvem hvilken hvilket er blir ' +
    'ble har hadde kan skal skulle sa her der ogsa ein eit ikkje og a fra',
  da:
    'en et den det de dem og eller men om at som end af i pa til fra for med under over ved hos mod ' +
    'mellem gennem efter jeg du han hun vi i mig dig sig os jer ham hende min mit mine din dit dine sin ' +
    'sit sine vores jeres deres denne dette disse hvad hvem hvilken hvilket er var bliver blev har havde ' +
    'kan skal skulle sa her der ogsa',
  fi:
    'ja tai seka mutta etta jos kun kuin niin mina sina han me te he se ne tama nama tuo nuo joka jotka ' +
    'mika mitka kuka minun sinun hanen meidan teidan heidan sen niiden taman on ovat oli olivat olla ' +
    'ollut voi voivat myos kanssa varten vai eli',
  fr:
    'le la les l un une des du de d et ou mais donc or ni car que qu qui quoi dont a au aux en dans par ' +
    'pour sur sous avec chez entre vers depuis pendant je j tu il elle on nous vous ils elles me m te t ' +
    'se s lui leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos ce c cet cette ces est ' +
    'sont etait etre ai as avons avez ont avait avoir fait y si comme aussi n',
  es:
    'el la los las un una unos unas lo y e o u pero que como si de del a al en con por para entre sobre ' +
    'desde hasta hacia yo tu el ella nosotros vosotros ellos ellas usted ustedes me te se nos os le les ' +
    'mi mis tus su sus nuestro nuestra nuestros nuestras vuestro vuestra este esta estos estas ese esa ' +
    'esos esas esto eso cual cuales quien donde es son era eran ser fue ha han hay tambien muy',
  it:
    'il lo la i gli le l un uno una e ed o od ma che chi cui come se di del dello della dei degli delle ' +
    'dell d a ad al allo alla ai agli alle all da dal dallo dalla dai dagli dalle dall in nel nello nella ' +
    'nei negli nelle nell con col su sul sullo sulla sui sugli sulle sull per tra fra io tu lui lei noi ' +
    'voi loro mi ti si ci vi ne mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra vostro ' +
    'vostra questo questa questi queste quello quella quelli quelle e sono era erano essere ha hanno anche',
  pt:
    'o a os as um uma uns umas e ou mas que se como de do da dos das em no na nos nas por pelo pela pelos ' +
    'pelas para com entre sobre ate ao aos desde eu tu ele ela nos vos eles elas voce voces me te lhe ' +
    'lhes meu minha meus minhas teu tua seu sua seus suas nosso nossa nossos nossas este esta estes estas ' +
    'esse essa esses essas aquele aquela isto isso qual quem onde e sao era ser foi ha tem tambem muito',
  ru:
    'и в во на с со к ко у о об от до из за под над при про для по а но или что чтобы как так же ли бы то ' +
    'это этот эта эти того этого этой этих тот та те я ты он она оно мы вы они меня тебя его ее их нас вас ' +
    'мне тебе ему ей им нам вам мой моя мое мои твой свой своя свои наш наша наши ваш ваша ваши который ' +
    'которая которые кто где есть был была было были быть',
  uk:
    'і й та в у на з із зі до за від для про під над при по а але або що щоб як так це цей ця ці той я ти ' +
    'він вона воно ми ви вони його її їх нас вас мій моя мої твій свій наш ваш який яка які хто де є був ' +
    'була було були бути',
  pl:
    'i a o u w we z ze na do od dla po za pod nad przy przez oraz lub albo ale czy ze jak sie jest sa byl ' +
    'byla bylo byly byc to ten ta te tego tej tych ja ty on ona ono my wy oni mnie ciebie jego jej ich nas ' +
    'was moj moja moje twoj swoj nasz wasz ktory ktora ktore kto gdzie',
  cs:
    'a i o u v ve k ke s se z ze na do od pro po za pod nad pri nebo ale ze jak jako aby kdyz je jsou byl ' +
    'byla bylo byly byt to ten ta te toho ja ty on ona ono my vy oni me mne tebe jeho jeji jejich nas vas ' +
    'muj moje tvuj svuj nas vas ktery ktera ktere kdo kde',
  sk:
    'a i o u v vo k ku s so z zo na do od pre po za pod nad pri alebo ale ze ako aby ked je su bol bola ' +
    'bolo boli byt to ten ta te toho sa ja ty on ona ono my vy oni jeho jej ich nas vas moj moja moje tvoj ' +
    'svoj nas vas ktory ktora ktore kto kde',
  hu:
    'a az egy es vagy de hogy mint ha is ez ezek azok en te o mi ti ok engem teged ot minket titeket oket ' +
    'van vannak volt voltak lesz lenni ami aki amely amelyek ezt azt neki vele hozza',
  ro:
    'un o unui unei niste si sau dar ca de la in pe cu din prin pentru sub peste intre spre despre pana eu ' +
    'tu el ea noi voi ei ele ma te se ne va imi iti ii lui lor meu mea mei mele tau ta tai tale sau sa sai ' +
    'sale acest aceasta acesti aceste acel acea care ce cine unde este sunt era fi a al ale ai am ai are au',
  tr:
    've veya ya da de ile icin gibi kadar ki bu su o bunlar onlar ben sen biz siz benim senin onun bizim ' +
    'sizin onlarin ne kim nerede mi mu dir olan olarak ise ama fakat',
  el:
    'ο η το οι τα του τησ των τον την τουσ τισ ενασ μια ενα και η αλλα που πωσ οτι αν σε στο στη στην στον ' +
    'στα στουσ στισ απο για με ωσ προσ κατα μετα εγω εσυ αυτοσ αυτη αυτο εμεισ εσεισ αυτοι μου σου μασ σασ ' +
    'ειναι ηταν εχει εχουν να θα',
  ar: 'و في من الي علي عن مع او ام ان هو هي هم نحن انا انت هذا هذه ذلك تلك التي الذي الذين كان كانت كما ثم قد ما',
  he: 'של את על עם אל או כי גם זה זו זאת אלה הוא היא הם הן אני אתה אנחנו אתם מה מי אשר היה היתה',
  id: 'dan atau di ke dari untuk dengan pada oleh yang ini itu adalah akan saya kamu anda dia kami kita mereka',
}

/** The stopwords of a language by its primary subtag; empty for unknown languages. */
export function stopwordsOf(primary: string): ReadonlySet<string> {
  const list = primary === 'no' || primary === 'nn' ? LISTS.nb : LISTS[primary]
  return new Set((list ?? '').split(' ').filter((word) => word !== ''))
}
