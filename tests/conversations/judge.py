#!/usr/bin/python3
"""How well conversations that others wrote and labelled are analysed, beside the usual ways.

    judge.py PROGRAM DATA [NAME...]

PROGRAM is build/tests/conversations_judge. DATA is a folder with copies of public repositories, each under
its own name (README.md beside this file lists them); those that are missing are left out. NAME chooses sets.

For a set of single sentences it prints the adjusted Rand index of the clusters, beside k-means over tf-idf
and over its latent semantic analysis (LSA), both given the right number of topics; for chats, in how many
the title of the first issue is a sentence that its annotators gave an intent of the domain.
"""
import csv
import glob
import json
import os
import random
import subprocess
import sys
from collections import Counter
from math import comb

SMALL_TALK = set('openinggreeting closinggreeting contentonly outofdomain confirmation rejection thankyou'.split())


def shuffled(rows, n):
    """n rows in an order that is the same each time."""
    random.Random(1).shuffle(rows)
    return rows[:n]


def banking(folder):
    with open(folder + '/task-specific-datasets/banking_data/test.csv', encoding='utf-8') as f:
        return shuffled([(row['category'], [row['text']]) for row in csv.DictReader(f)], 1500)


def clinc(folder):
    with open(folder + '/oos-eval/data/data_full.json', encoding='utf-8') as f:
        return shuffled([(label, [text]) for text, label in json.load(f)['test']], 4500)


def lines_of(path):
    with open(path, encoding='utf-8', errors='replace') as f:
        return f.read().split('\n')


def two_files(texts, labels, n):
    return shuffled([(y, [x]) for x, y in zip(lines_of(texts), lines_of(labels)) if x.strip() and y.strip()], n)


def stack_overflow(folder):
    folder += '/StackOverflow/rawText'
    return two_files(folder + '/title_StackOverflow.txt', folder + '/label_StackOverflow.txt', 2000)


def slots(name):
    return lambda folder: two_files(f'{folder}/SlotGated-SLU/data/{name}/test/seq.in',
                                    f'{folder}/SlotGated-SLU/data/{name}/test/label', 2000)


def frame_of(mail):
    """Of a mail what is not its own text: (greeting and quotations, an own sentence, signature and footers)."""
    lines = mail.rstrip('\n').split('\n')
    end = next((i for i, line in enumerate(lines) if line.rstrip() == '--' or line.startswith(('____', '----'))), None)
    if end is None:
        # The last paragraph, if it is short lines.
        end = len(lines)
        while end > 0 and 0 < len(lines[end - 1].strip()) < 40:
            end -= 1
    quoted = [i for i in range(end) if lines[i].startswith('>') or lines[i].rstrip().endswith(('wrote:', 'writes:', 'said:'))]
    own = [lines[i] for i in range(end) if i not in quoted and lines[i].strip()]
    greeting = [line for line in own[:1] if len(line) < 40 and line.rstrip().endswith((',', '!'))]
    said = ' '.join(own[len(greeting):]).split('. ')[0]
    return '\n'.join(greeting + [lines[i] for i in quoted]), said if len(said) < 160 else '', '\n'.join(lines[end:])


def wrapped(noisy):
    """Sentences of Banking77 inside the greetings, quotations, signatures and footers of strangers' mails."""
    def read(folder):
        frames, chooser, out = [], random.Random(2), []
        for path in sorted(glob.glob(folder + '/mails/*')):
            with open(path, encoding='utf-8', errors='replace') as f:
                frames.append(frame_of(f.read()))
        for label, (text,) in banking(folder)[:800]:
            head, said, tail = chooser.choice(frames)
            body = [said, text] if noisy and chooser.random() < 0.5 else [text, said] if noisy else [text]
            out.append((label, ['\n\n'.join([head] + body + [tail])]))
        return out
    return read


SETS = {'Banking77': banking, 'CLINC150': clinc, 'StackOverflow titles': stack_overflow, 'ATIS': slots('atis'),
        'SNIPS': slots('snips'), 'Banking77 in mails': wrapped(False),
        'the same, off topic': wrapped(True)}
DOMAINS = ('airline', 'fastfood', 'finance', 'insurance', 'media', 'software')


def chats(folder, domain):
    """Turns of customers; where a turn is missing, the agent's was. Each with (sentence, intents)."""
    talks = {}
    path = folder + '/multi-domain-goal-oriented-dialogues-dataset/data/paper_splits/splits_annotated_at_sentence_level'
    for line in lines_of(f'{path}/{domain}/test.tsv')[1:]:
        row = line.split('\t')
        if len(row) == 7 and row[1].isdigit():
            talks.setdefault(row[0], []).append((int(row[1]), row[4], set(row[6].split('<div>'))))
    return list(talks.values())


def parts_of(talk):
    parts, last = [], None
    for turn, text, _ in talk:
        if turn == last:
            parts[-1] += '\n' + text
            continue
        if last is not None and turn > last + 1:
            parts.append('T: .')
        parts.append(text)
        last = turn
    return parts


def escape(text):
    return text.replace('\\', '\\\\').replace('\n', '\\n').replace('\t', ' ').replace('\r', '')


def analyse(program, conversations):
    """(cluster, number of issues, title) of each."""
    text = ''.join('-\t' + '\t'.join(map(escape, parts)) + '\n' for parts in conversations)
    out = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
    return [line.split('\t') for line in out.split('\n')[:-1]]


def adjusted_rand(x, y):
    pairs = sum(comb(n, 2) for n in Counter(zip(x, y)).values())
    in_x = sum(comb(n, 2) for n in Counter(x).values())
    in_y = sum(comb(n, 2) for n in Counter(y).values())
    expected = in_x * in_y / comb(len(x), 2)
    return (pairs - expected) / ((in_x + in_y) / 2 - expected)


def baselines(texts, labels):
    """Of k-means over tf-idf, and over its LSA: the best with and without a stop list, and of 100 and 200 dimensions."""
    from sklearn.cluster import KMeans
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

    def score(matrix):
        return adjusted_rand(labels, list(KMeans(len(set(labels)), n_init=5, random_state=0).fit_predict(matrix)))
    matrices = [TfidfVectorizer(stop_words=words).fit_transform(texts) for words in ('english', None)]
    reduced = [normalize(TruncatedSVD(n, random_state=0).fit_transform(m)) for m in matrices for n in (100, 200)]
    return max(map(score, matrices)), max(map(score, reduced))


def judge_set(program, name, rows):
    labels, result = [row[0] for row in rows], analyse(program, [row[1] for row in rows])
    # A conversation without an issue is alone.
    clusters = [row[0] if row[0] != '0' else f'none {i}' for i, row in enumerate(result)]
    missed = sum(row[0] == '0' for row in result) / len(rows)
    try:
        beside = '%6.3f %6.3f' % baselines([row[1][0] for row in rows], labels)
    except ImportError:
        beside = '     -      -   (python3-sklearn is missing)'
    print('%-22s %5d %6d %8d %6.3f %s  %5.1f %%' % (name, len(rows), len(set(labels)), len(set(clusters)),
          adjusted_rand(labels, clusters), beside, 100 * missed), flush=True)


def bears_intent(talk, title):
    """None: the chat has no intent of the domain."""
    plain = lambda s: ' '.join(s.lower().split())
    if all(intents <= SMALL_TALK for _, _, intents in talk):
        return None
    title = plain(title)
    return any(intents - SMALL_TALK for _, text, intents in talk
               if title and (title in plain(text) or plain(text) in title))


def judge_chats(program, domain, talks):
    result = analyse(program, [parts_of(t) for t in talks])
    bears = [b for b in (bears_intent(t, row[2]) for t, row in zip(talks, result)) if b is not None]
    print('chats, %-15s %5d   sentence bears the intent %6.3f   none %5.1f %%   several %5.1f %%' % (
        domain, len(bears), sum(bears) / len(bears), 100 * sum(r[0] == '0' for r in result) / len(result),
        100 * sum(int(r[1]) > 1 for r in result) / len(result)), flush=True)


def main():
    program, folder, wanted = sys.argv[1], sys.argv[2], sys.argv[3:]
    print('%-22s %5s %6s %8s %6s %6s %6s  %s' % ('set', 'n', 'topics', 'clusters', 'ARI', 'tf-idf', 'LSA', 'none'))
    for name, read in SETS.items():
        if wanted and name not in wanted:
            continue
        try:
            judge_set(program, name, read(folder))
        except (FileNotFoundError, IndexError):
            print('%-22s is not in %s' % (name, folder))
    for domain in DOMAINS:
        if wanted and domain not in wanted:
            continue
        try:
            judge_chats(program, domain, chats(folder, domain))
        except FileNotFoundError:
            print('chats, %-15s are not in %s' % (domain, folder))


if __name__ == '__main__':
    main()
