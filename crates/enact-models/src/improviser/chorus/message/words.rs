//! Lists of English words, by what they tell about a message.

/// Words that say nothing by themselves. Whoever uses none of them in a whole sentence does not write English.
#[rustfmt::skip]
pub(super) const PLAIN: &[&str] = &[
    "a", "about", "above", "across", "after", "again", "ago", "all", "almost", "along", "already", "also", "always", "am", "among",
    "an", "and", "another", "any", "anybody", "anymore", "anyone", "anything", "are", "around", "as", "at", "away", "back", "be",
    "because", "been", "before", "behind", "being", "below", "beside", "besides", "between", "both", "but", "by", "can", "cannot",
    "could", "did", "do", "does", "done", "down", "during", "each", "either", "else", "enough", "even", "ever", "every", "everybody",
    "everyone", "everything", "everywhere", "except", "far", "few", "for", "from", "get", "gets", "got", "had", "has", "have",
    "having", "he", "her", "here", "hers", "herself", "him", "himself", "his", "how", "however", "i", "if", "im", "in", "inside",
    "instead", "into", "is", "it", "its", "itself", "just", "least", "less", "let", "like", "likely", "many", "may", "maybe", "me",
    "might", "mine", "more", "most", "much", "must", "my", "myself", "near", "neither", "never", "next", "no", "nobody", "none",
    "nor", "not", "nothing", "now", "of", "off", "often", "okay", "on", "once", "one", "only", "onto", "or", "other", "others",
    "ought", "our", "ours", "out", "over", "own", "per", "perhaps", "please", "quite", "rather", "really", "same", "shall", "she",
    "should", "since", "so", "some", "somebody", "someone", "something", "sometimes", "somewhere", "soon", "still", "such", "than",
    "thank", "thanks", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "though", "through",
    "till", "to", "today", "together", "tomorrow", "tonight", "too", "under", "until", "up", "upon", "us", "very", "was", "we",
    "were", "what", "whatever", "when", "where", "whether", "which", "while", "who", "whom", "whose", "why", "will", "with",
    "within", "without", "would", "yes", "yesterday", "yet", "you", "your", "yours", "yourself",
];

/// How plain words end that were drawn together.
pub(super) const CONTRACTION: &[&str] = &["'s", "n't", "'m", "'re", "'ve", "'ll", "'d"];

/// What may stand before a thing. "This" and "that" begin too much else, and "your" may be anybody's.
pub(super) const DETERMINER: &[&str] = &["a", "an", "the", "my", "our"];

/// Words with which questions begin.
pub(super) const ASKING: &[&str] = &[
    "who", "whom", "whose", "what", "when", "where", "why", "which", "how", "is", "are", "am", "was", "were",
    "do", "does", "did", "can", "could", "should", "would", "will", "shall", "may", "might", "have", "has",
];

/// The verbs of questions, after which what is asked about follows.
pub(super) const QUESTION_VERB: &[&str] =
    &["is", "are", "was", "were", "do", "does", "did", "can", "could", "should", "would", "will"];

/// Verbs that say little and are no things.
#[rustfmt::skip]
pub(super) const DOING: &[&str] = &[
    "ask", "asked", "became", "become", "began", "begin", "believe", "broke", "brought", "call", "called", "came", "come", "comes",
    "coming", "feel", "feeling", "feels", "felt", "find", "found", "gave", "getting", "give", "gives", "go", "goes", "going", "gone",
    "gonna", "guess", "happen", "happened", "happens", "hear", "heard", "keep", "keeps", "kept", "knew", "know", "knows", "leave",
    "leaves", "left", "liked", "likes", "live", "lives", "look", "looked", "looking", "looks", "made", "make", "makes", "making",
    "mean", "means", "meant", "need", "needs", "put", "ran", "run", "runs", "said", "saw", "say", "saying", "says", "see", "seem",
    "seems", "seen", "start", "started", "stay", "stop", "take", "takes", "talk", "talked", "tell", "think", "thinking", "thinks",
    "thought", "told", "took", "tried", "try", "trying", "turn", "turned", "used", "using", "wanna", "want", "wanted", "wants",
    "went", "wish", "wonder", "work", "works",
];

/// After which a verb stands, mostly.
pub(super) const SUBJECT: &[&str] = &[
    "i", "you", "we", "they", "he", "she", "it", "to", "can", "could", "should", "would", "will", "must",
    "may", "might", "never", "always",
];

/// Verbs that may be things as well, after a determiner; without one they are nothing to quote.
#[rustfmt::skip]
pub(super) const DOING_OR_THING: &[&str] = &[
    "smell", "smells", "smelled", "sound", "sounds", "sounded", "taste", "tastes", "touch", "remember", "remembers", "forget", "forgets",
    "throw", "throws", "chase", "sleep", "sleeps", "walk", "walks", "dying", "miss", "matter", "matters", "change", "changes",
];

/// With which somebody asks for something.
#[rustfmt::skip]
pub(super) const WANTING: &[&str] = &[
    "tell", "write", "give", "show", "describe", "imagine", "help", "explain", "make", "sing", "invent", "compose", "recite",
    "summarise", "summarize", "draw", "teach", "suggest", "recommend", "pretend", "play", "list", "finish", "continue",
];

pub(super) const GREETING: &[&str] = &["hi", "hello", "hey", "greetings", "howdy", "hiya", "yo", "welcome"];

/// How people take their leave: the whole message, its beginning or its end.
#[rustfmt::skip]
pub(super) const FAREWELL: &[&str] = &[
    "good night", "goodnight", "night night", "goodbye", "good bye", "bye", "bye bye", "farewell", "so long", "see you", "see you later",
    "see you soon", "see you tomorrow", "see ya", "cya", "take care", "sleep well", "sweet dreams", "until tomorrow", "until next time",
    "have to go", "gotta go", "need to go", "i'm off", "i'm leaving", "off to bed", "going to bed", "cheerio",
];

/// How they say thanks.
#[rustfmt::skip]
pub(super) const THANKS: &[&str] = &[
    "thank you", "thanks", "thank you all", "thank you so much", "thank you very much", "many thanks", "thanks a lot", "thx", "ty", "cheers",
    "much appreciated", "that helped", "that was lovely", "that was nice", "that was beautiful",
];

/// Whom one may be sorry about.
#[rustfmt::skip]
pub(super) const LOVED: &[&str] = &[
    "mother", "father", "mum", "mom", "dad", "mama", "papa", "parents", "husband", "wife", "partner", "boyfriend", "girlfriend", "fiancé",
    "fiancée", "son", "daughter", "child", "children", "baby", "brother", "sister", "twin", "grandmother", "grandfather", "grandma",
    "grandpa", "granny", "gran", "nan", "grandad", "granddad", "grandson", "granddaughter", "aunt", "uncle", "cousin", "niece", "nephew",
    "friend", "friends", "teacher", "colleague", "neighbour", "neighbor", "dog", "cat", "horse", "rabbit", "puppy", "kitten",
];

/// How people say they do not feel well, as one could say it back: "you're lonely".
#[rustfmt::skip]
pub(super) const LOW: &[&str] = &[
    "sad", "lonely", "tired", "exhausted", "afraid", "scared", "anxious", "worried", "angry", "furious", "hurt", "stressed",
    "overwhelmed", "broken", "ashamed", "jealous", "depressed", "miserable", "unhappy", "heartbroken", "hopeless", "numb", "nervous",
    "homesick", "guilty", "frustrated", "bored", "burnt-out", "empty", "disappointed", "restless", "sleepless", "grieving", "sick",
];

/// What makes people feel so, and is no adjective.
#[rustfmt::skip]
pub(super) const LOSS: &[&str] = &[
    "cry", "crying", "cried", "fired", "divorce", "divorced", "breakup", "miss", "alone", "hate",
    "hurts", "failed", "failing", "lost", "regret", "struggling", "panic", "rejected", "dumped", "unloved", "useless",
    "failure", "insomnia", "ill", "hospital", "surgery", "pain", "bleeding", "evicted", "homeless", "broke",
];

/// The same in several words; nobody has to be named for them.
#[rustfmt::skip]
pub(super) const LOW_PHRASE: &[&str] = &[
    "nothing matters", "nobody cares", "no one cares", "nobody loves me", "no one loves me", "nobody likes me", "what's the point", "give up",
    "giving up", "gave up", "falling apart", "fell apart", "broke up", "breaking up", "left me", "cheated on me", "laid off", "can't sleep",
    "can't stop crying", "everything hurts", "burnt out", "burned out", "too much for me", "don't feel well", "feel bad", "feel down",
    "feeling down", "feel awful", "feel terrible", "feel like crying", "bad day", "awful day", "terrible day", "worst day",
];

/// How people say they feel well.
#[rustfmt::skip]
pub(super) const HIGH: &[&str] = &[
    "happy", "excited", "proud", "grateful", "glad", "thrilled", "relieved", "hopeful", "delighted", "overjoyed", "thankful",
    "ecstatic", "cheerful", "joyful",
];

pub(super) const NEGATION: &[&str] = &["not", "never", "no", "hardly", "isn't", "without", "less"];

/// What people ask whether we are.
#[rustfmt::skip]
pub(super) const MACHINE: &[&str] = &[
    "ai", "human", "humans", "real", "bot", "bots", "robot", "robots", "person", "people", "alive", "conscious", "machine",
    "machines", "chatgpt", "llm", "model", "models", "sentient", "computer", "program",
];

/// Things that are about nothing.
#[rustfmt::skip]
pub(super) const NO_TOPIC: &[&str] = &[
    "thing", "things", "way", "ways", "lot", "lots", "bit", "kind", "kinds", "sort", "rest", "fact", "point", "case", "couple",
    "number", "while", "moment", "right", "wrong", "left", "middle", "end", "beginning", "question", "answer", "guys", "time",
    "times", "day", "opinion", "opinions", "thoughts", "hell", "world", "true", "real", "good", "bad", "okay",
];

/// What describes a thing that follows.
#[rustfmt::skip]
pub(super) const ADJECTIVE: &[&str] = &[
    "old", "new", "young", "little", "big", "small", "first", "last", "second", "third", "best", "worst", "better", "great", "own",
    "long", "short", "dark", "bright", "red", "blue", "green", "black", "white", "dear", "late", "early", "quiet", "loud", "strange",
    "secret", "perfect", "favourite", "favorite", "modern", "ancient", "human", "warm", "cold", "hot", "deep", "high", "low", "whole",
    "entire", "single", "simple", "hard", "easy", "soft", "empty", "full", "public", "private", "local", "true", "good", "bad", "dead",
];
