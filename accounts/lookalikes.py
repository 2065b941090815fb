# ruff: noqa: RUF001
"""Signs that look like others, from Unicode's table of confusables and what its writers leave out.

Each group is a sign followed by those that are read as it; a sign stands for its small letter as well where the capital
looks the same. Compared are names after compatibility decomposition, so that no accented, wide or mathematical letter
needs to be listed.
"""

from typing import Final

_GROUPS: Final = (
    "'`ʹʻʼʾʿˈ\u05f3‘’‛′ꞌ ,،‚、 -\u06d4᠆‐‑‒–—―−─ー .·\u0660۰•․‧・ 2ƧϨꙄꝚ 3ƷȜЗӠⳌꝪꞫ 4Ꮞ 5Ƽ 6бᏮⳒ 8Ȣȣ৪੪ 9৭੧୨൭ⳊꝮ "
    ":ː\u05c3\u0903\u0983\u0a03\u0a83\u0b03\u0c03\u0c83\u0d03∶꞉ aAɑΑαАаᎪ bBƀƂƃƄɓʙΒБВЬвѢѣҌҍᏏᏴᏼꞴ cCȼСсҪҫᏟᴄⲤⲥꮯ "
    "dDÐĐđƉƌɖɗԁᎠᏧ eEɆɇΕЕеҽҿᎬꬲ fFƑƒϜքᵮẝꞘꞙꬵ gGƍǤǥɠɡԌցᏀᏳᶃ hHĦħɦʜΗНнћҢңһӇӈӉӊհᎻᏂⱧⲎꚕꮋ iıɨɩɪιіӏᎥᵻᵼꙇꭵ jJɈɉͿϳЈјᎫꞲ "
    "kKĸƙΚκКкҚқҞҟᏦᴋⱩⲔⲕꝀꮶ l1IL|ŁłƖƗƚǀɫɭΙІӀւ\u05d5\u05df\u0627\u0661۱।ᏞⲒⳐ mMʍΜϺМмӍӎᎷᴍⲘꭑꮇ nNƝƞɲɳΝոռᵰⲚ "
    "o0OØøƟɵΟοσОоѲѳӨөՕօ\u05e1\u0647\u0665\u06be\u06c1\u06d5۵०০੦૦ଠ୦௦\u0c02౦\u0c82೦\u0d02ഠ൦ᴏᴑ○●⭕Ⲟⲟ〇Ꝋꝋꬽꬾ pPƥΡρРрᏢᵽⲢⲣ "
    "qQʠԛգզ rRƦɍɼɽгғᎡᏒᴦᵲⲅꭇꭈꮁ sSƽʂЅѕՏᏕᏚᵴꜱꮪ tTŦŧƫƭƮȾΤτТтҬҭᎢᎿᴛᵵⲦꭲ uUɄʋυՍսᴜᵾꞟꭎꭒ vVνѴѵ\u0667۷Ꮩᴠꮩ wWɯѡѽԜԝաᎳᏔᴡꝡꮃ xXΧХхҲⲬꞳ "
    "yYƴɎɏɣʏΥγУуҮүҰұᎩᎽᶌỿⲨꭚ zZƵƶȤȥʐΖᏃᴢᵶꮓ𐋵 ÞϷ ßβᏰꞵ þƿϸ ƅьꮟ ƆϽↃ ƏӘ ƐԐᏋ ƨϩᴤꙅ ƩΣ ǝəә ǶԊ ȝʒӡⳍꝫ ȷյ ɂꭾ ɅΛЛӅ ɋᶐ ɔͻᴐↄꬿ ɛεєԑⲉꞓꮛ "
    "ɜзҙᴈ ɢԍᏻꮐ ɰպ ɸφфⲫ ʀꭱꮢ ʃꭍ ʌ\u0668۸ᴧ ʘꙨ ʚꞝ ʟⳑꮮ ͰᎨᎰⱵ ͶИҊ ͷиҋᴎ ͽꜿ ΓГᎱⲄ ΔⲆ ΠПⲠ ΦФՓⲪ ΨѰⲮ δծẟ λⲖ πпᴨ ςϛ χⲭꭓꭕ ψѱ ωⲱꙍꞷ ϗⳤ "
    "ϬⳜ ϿꜾ ЄⲈꞒ ШⲼ лӆᴫ шⲽ яᴙ љꭠ ѠѼᏇ ҶӋ ҷӌ \u0643\u06a9\u06aa \u064a\u0649\u06cc\u06cd\u06d0 \u0662۲ \u0663۳ \u0664۴ "
    "\u0666۶ \u0669۹ ऽઽ \u0941\u0ac1 \u0942\u0ac2 \u0946\u0a4b २૨ ३૩ ४૪ ८૮ ॰૰ ॱൎ அ௮ ஈர\u0bbe உ௨ഉ எ௭ ஐஜജ க௧ ச௪ ணണ "
    "ன\u0bc8 ய௰ ள\u0bd7 ழഴ ஶശ \u0bbf\u0d3f అಅ ఆಆ ఇಇ ఒಒ జಜ ఞಞ ణಣ యಯ ఱಱ లಲ ౧೧ ౨೨ ౯೯ ഞൡ ᴀꭺ ᴅꭰ ᴇꭼ ᴊꭻ ᴘᴩꮲ ⱶꮀ ꙌꞶ ꜧꞕ Ꝺꝺ "
)

LOOKALIKES: Final = str.maketrans({each: group[0] for group in "".join(_GROUPS).split() for each in group[1:]})
"""For `str.translate`: what each sign is read as."""

SPELLINGS: Final = {
    # Malayalam's chillus, written by a joiner or as signs of their own.
    "\u0d23\u0d4d\u200d": "\u0d7a",
    "\u0d28\u0d4d\u200d": "\u0d7b",
    "\u0d30\u0d4d\u200d": "\u0d7c",
    "\u0d32\u0d4d\u200d": "\u0d7d",
    "\u0d33\u0d4d\u200d": "\u0d7e",
    "\u0d15\u0d4d\u200d": "\u0d7f",
    # Bengali's khanda ta; then long vowels made of a short one and a sign.
    "\u09a4\u09cd\u200d": "\u09ce",
    "\u0905\u093e": "\u0906",
    "\u0985\u09be": "\u0986",
    "\u0a05\u0a3e": "\u0a06",
    "\u0a73\u0a41": "\u0a09",
    "\u0a72\u0a3f": "\u0a07",
}
"""Two spellings of one sign: each is read as its value."""
