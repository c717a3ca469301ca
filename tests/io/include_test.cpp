// SPDX-License-Identifier: BSD-3-Clause
// Decks in several files: what they hold together, which files they may have, and messages with their places.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/program.hpp"

namespace polhode::io {
namespace {

using support::contains;
using support::Workshop;

const std::string short_run = "analysis: {type: transient, duration: 1, step: 0.1}\n";
const std::string legs_file =
    "parameters: {length: 2}\n"
    "parts:\n"
    "  leg:\n"
    "    nodes: {foot: {position: [\"=length\", 0, 0]}}\n"
    "    bodies: {foot: {type: rigid_body, node: foot, mass: 1, inertia: [1, 1, 1]}}\n"
    "instances: {near: {part: leg}, far: {part: leg, frame: nodes.near.foot, at: [1, 0, 0]}}\n"
    "joints: {tie: {type: fixed, connects: [near.foot, far.foot]}}\n";

class Include : public testing::Test {
 protected:
  Include() { std::filesystem::create_directory(folder.file("decks")); }
  Workshop folder;

  // The deck in decks/deck.yaml.
  Deck read(const std::string& text, const std::vector<std::string>& settings = {},
            Includes includes = Includes::inside) const {
    folder.write("decks/deck.yaml", "format: polhode-deck/1\n" + text + short_run);
    return read_deck(folder.file("decks/deck.yaml"), settings, includes);
  }
  // The messages, with names of files as from the folder.
  std::string refusal(const std::string& text) const {
    try {
      read(text);
      return "";
    } catch (const DeckError& error) {
      std::string messages = error.what();
      const std::string here = folder.file("");
      for (std::size_t at; (at = messages.find(here)) != std::string::npos;) messages.erase(at, here.size());
      return messages;
    }
  }
};

TEST_F(Include, EntriesStandBehindThoseOfTheDeck) {
  folder.write("decks/legs.yaml", legs_file);
  const Deck deck = read(
      "include: [legs.yaml]\nparameters: {mass: 3}\nnodes: {base: {position: [0, 0, 0]}}\n"
      "bodies: {base: {type: point_mass, node: base, mass: \"=mass*length\"}}\n",
      {"parameters.length=5"});
  ASSERT_EQ(deck.model.nodes.size(), 3u);
  EXPECT_EQ(deck.model.nodes[0].name, "base");
  EXPECT_EQ(deck.model.nodes[2].name, "far.foot");
  EXPECT_EQ(deck.model.nodes[2].position.x(), 11);
  EXPECT_EQ(deck.model.entries[0].number("mass"), 15);
  // The text needs no other file.
  EXPECT_FALSE(contains(deck.text, "include"));
  EXPECT_EQ(DeckSource("elsewhere.yaml", deck.text).read().model.nodes.size(), 3u);
}

TEST_F(Include, AFileMayStandTwiceWithPrefixes) {
  folder.write("decks/legs.yaml", legs_file);
  const Deck deck = read("include: [{file: legs.yaml, prefix: l_}, {file: legs.yaml, prefix: r_}]\n",
                         {"parameters.r_length=7", "instances.l_far.at.2=1"});
  std::vector<std::string> names;
  for (const model::NodeEntry& node : deck.model.nodes) names.push_back(node.name);
  EXPECT_EQ(names, (std::vector<std::string>{"l_near.foot", "l_far.foot", "r_near.foot", "r_far.foot"}));
  EXPECT_EQ(deck.model.nodes[1].position, math::Vec3(5, 0, 1));
  EXPECT_EQ(deck.model.nodes[3].position, math::Vec3(15, 0, 0));
  for (const model::Entry& entry : deck.model.entries)
    if (entry.path() == "joints.r_tie") {
      EXPECT_EQ(entry.names("connects"), (std::vector<std::string>{"r_near.foot", "r_far.foot"}));
    }
}

TEST_F(Include, NamesOfAPartHideThoseOfItsFile) {
  folder.write("decks/bars.yaml",
               "parameters: {n: 1, m: [1, 2, 3]}\n"
               "nodes: {root: {position: \"=m\"}, other: {position: [0, 0, \"=2*n\"]}}\n"
               "bodies:\n"
               "  root: {type: point_mass, node: root, mass: 1}\n"
               "  other: {type: point_mass, node: other, mass: 1}\n"
               "parts:\n"
               "  bar:\n"
               "    parameters: {n: 4}\n"
               "    nodes: {root: {position: [\"=n*m[1]\", 0, 0]}}\n"
               "    bodies: {root: {type: point_mass, node: root, mass: 1}}\n"
               "    joints: {rod: {type: distance, connects: [root, other], at: [[0, 0, 1], [0, 0, 0]]}}\n"
               "instances: {bar: {part: bar}}\n");
  const Deck deck = read("include: [{file: bars.yaml, prefix: a_}]\n");
  EXPECT_EQ(deck.model.nodes[0].position, math::Vec3(1, 2, 3));
  EXPECT_EQ(deck.model.nodes[1].position, math::Vec3(0, 0, 2));
  EXPECT_EQ(deck.model.nodes[2].position, math::Vec3(8, 0, 0));
  EXPECT_EQ(deck.model.entries.back().names("connects"), (std::vector<std::string>{"a_bar.root", "a_other"}));
}

TEST_F(Include, PathsAreRelativeToTheFileThatTheyStandIn) {
  std::filesystem::create_directories(folder.file("decks/parts/tables"));
  folder.write("decks/parts/legs.yaml", "include: [tables/push.yaml]\n" + legs_file);
  folder.write(
      "decks/parts/tables/push.yaml",
      "forces:\n  push: {type: load, node: near.foot, force: [1, 0, 0], history: {file: push.csv, columns: [1, "
      "2]}}\n");
  folder.write("decks/parts/tables/push.csv", "0,0\n1,2\n");
  const Deck deck = read("include: [parts/legs.yaml]\n");
  EXPECT_EQ(deck.model.entries.back().function("history")(0.5).value, 1);
  EXPECT_EQ(deck.included.size(), 2u);
}

TEST_F(Include, FilesOutsideOfTheFolderAreRefusedUnlessAllowed) {
  folder.write("legs.yaml", legs_file);
  EXPECT_EQ(refusal("include: [../legs.yaml]\n"),
            "decks/deck.yaml:2:11: include.0: '../legs.yaml' is outside of the deck's folder; put it there, or allow "
            "such files by --allow-outside");
  EXPECT_EQ(read("include: [../legs.yaml]\n", {}, Includes::anywhere).model.nodes.size(), 2u);
  // A link does not lead out.
  std::filesystem::create_symlink(folder.file("legs.yaml"), folder.file("decks/link.yaml"));
  EXPECT_TRUE(contains(refusal("include: [link.yaml]\n"), "'link.yaml' is outside of the deck's folder"));
  for (const std::string command : {"run", "check", "check --expand", "info"}) {
    const std::string set = command == "run" ? " --set analysis.duration=0.1" : "";
    EXPECT_EQ(folder.polhode(command + " decks/deck.yaml" + set).status, 2) << command;
    EXPECT_EQ(folder.polhode(command + " --allow-outside decks/deck.yaml" + set).status, 0) << command;
  }
}

TEST_F(Include, FilesThatIncludeThemselvesAreNamed) {
  folder.write("decks/a.yaml", "include: [b.yaml]\n");
  folder.write("decks/b.yaml", "nodes: {}\ninclude: [a.yaml]\n");
  EXPECT_EQ(refusal("include: [a.yaml]\n"),
            "decks/b.yaml:2:11: include.0: decks/a.yaml includes itself: decks/a.yaml -> decks/b.yaml -> decks/a.yaml; "
            "take this entry from the list");
  EXPECT_TRUE(contains(refusal("include: [deck.yaml]\n"),
                       "decks/deck.yaml:2:11: include.0: decks/deck.yaml includes itself: decks/deck.yaml -> "
                       "decks/deck.yaml"));
}

TEST_F(Include, FaultsHaveTheirPlaceInTheFile) {
  folder.write("decks/a.yaml", "nodes:\n  a: {position: [0, 0]}\n  b: {position: [0, 0, 0]}\n");
  EXPECT_EQ(refusal("nodes: {b: {position: [0, 0, 0]}}\ninclude: [a.yaml, none.yaml]\n"),
            "decks/deck.yaml:3:19: include.1: cannot read 'none.yaml': No such file or directory; names of files "
            "are relative to the file that includes them");
  EXPECT_EQ(refusal("nodes: {b: {position: [0, 0, 0]}}\ninclude: [a.yaml]\n"),
            "decks/a.yaml:2:7: nodes.a.position: expected a list of 3 numbers, found a list of 2\n"
            "decks/a.yaml:3:3: nodes.b: 'b' stands here twice, first in line 2; rename or remove one");
  // Problems that only the model shows have it, too.
  folder.write("decks/a.yaml", "nodes:\n  loose: {position: [0, 0, 0]}\n");
  const support::Outcome outcome = folder.polhode("check decks/deck.yaml");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(contains(outcome.err, "decks/a.yaml:2:3: nodes.loose")) << outcome.err;
}

TEST_F(Include, WrongEntriesOfTheListAreNamed) {
  folder.write("decks/empty.yaml", "");
  folder.write("decks/broken.yaml", "nodes: {a: [}\n");
  folder.write("decks/gravity.yaml", "gravity: [0, 0, 1]\n");
  EXPECT_TRUE(contains(refusal("include: legs.yaml\n"), "include: expected a list of files, such as [legs.yaml]"));
  EXPECT_TRUE(contains(refusal("include: [empty.yaml]\n"), "decks/empty.yaml:1:1: include: expected a mapping"));
  EXPECT_TRUE(contains(refusal("include: [broken.yaml]\n"), "decks/broken.yaml:1:"));
  EXPECT_TRUE(contains(refusal("include: [{file: gravity.yaml, prefix: 2_}]\n"), "'2_' cannot begin names"));
  EXPECT_TRUE(contains(refusal("include: [{file: gravity.yaml, prefix: a_}]\n"),
                       "decks/gravity.yaml:1:1: gravity: a file with a prefix holds"));
  EXPECT_TRUE(contains(refusal("include: [gravity.yaml]\ngravity: [0, 0, 2]\n"),
                       "decks/gravity.yaml:1:1: gravity: 'gravity' stands here twice, first in line 3; remove one"));
  EXPECT_THROW(read("nodes: {a: {position: [0, 0, 0]}}\n", {"include=[gravity.yaml]"}), DeckError);
}

TEST_F(Include, SignalsKeepTheirMeaningWithAPrefix) {
  folder.write("decks/loop.yaml",
               "parameters: {k: 2}\nsignals: {sin: \"=1\", a: \"=k*sin + sin(sin) + 1e1*t + pi + far + a.b\", b: a, "
               "c: {type: low_pass, input: \"= 2 *a \", time_constant: =k}}\n"
               "events: {stop: {when: \"=a - far\", do: {end: true}}}\nresponses: {r: {last: signals.a}, "
               "s: {at: {time: 0, of: signals.far}}}\n");
  const std::string far = "nodes: {m: {position: [0, 0, 0]}}\nsignals: {far: \"=3\"}\n";
  const std::string said = refusal("include: [{file: loop.yaml, prefix: l_}]\n" + far);
  EXPECT_EQ(said,
            "decks/loop.yaml:2:22: signals.l_a: in the expression '=l_k*l_sin + sin(l_sin) + 1e1*t + pi + far + "
            "l_a.b': unknown name 'l_a.b'; did you mean 'l_a'? (character 45 of the expression)");
}

TEST_F(Include, NamesThatAPrefixMakesTwiceAreNamed) {
  folder.write("decks/loop.yaml", "parameters: {k: 2}\nsignals: {l_k: \"=k\", a: \"=l_k\"}\n");
  EXPECT_EQ(refusal("include: [{file: loop.yaml, prefix: l_}]\nnodes: {m: {position: [0, 0, 0]}}\n"),
            "decks/loop.yaml:2:11: signals.l_k: is what the prefix makes of the parameter 'k'; choose another name for "
            "one of them");
  folder.write("decks/loop.yaml", "signals: {a: \"=1\", b: \"=2\"}\nresponses: {r: {last: signals.a}}\n");
  EXPECT_EQ(refusal("include: [{file: loop.yaml, prefix: l_}]\nnodes: {m: {position: [0, 0, 0]}}\n"
                    "parameters: {l_b: 1}\nsignals: {l_a: \"=2\"}\nresponses: {l_r: {last: signals.a}}\n"),
            "decks/loop.yaml:1:11: signals.l_a: 'l_a' stands here twice, first in line 5; rename or remove one\n"
            "decks/loop.yaml:1:20: signals.l_b: 'l_b' is a parameter, too; choose another name\n"
            "decks/loop.yaml:2:13: responses.l_r: 'l_r' stands here twice, first in line 6; rename or remove one");
}

const std::string frame_of_tables =
    "include: [{file: nodes.csv, rows: nodes}, {file: bars.csv, rows: beams}]\nparameters: {L: 3}\n"
    "sections: {bar: {shape: circle, radius: 0.01, E: 2.1e+9, nu: 0.3, density: 1000}}\n";

TEST_F(Include, RowsOfTablesAreNodesAndBeams) {
  folder.write("decks/nodes.csv", "# of a survey\nname,x,y,z,fixed\na,0,0,0,true\nb,\"=L\",0.5,0,\nc,3,1e-3,-2,[x]\n");
  folder.write("decks/bars.csv",
               "name;section;from;to;elements;orientation\nab;bar;a;b;2;[0, 0, 1]\nbc;bar;b;c;;[0, 1, 0]\n");
  const Deck deck = read(frame_of_tables, {"nodes.a.position.2=0.25"});
  ASSERT_EQ(deck.model.nodes.size(), 3u);
  EXPECT_EQ(deck.model.nodes[0].name, "a");
  EXPECT_EQ(deck.model.nodes[0].position, math::Vec3(0, 0, 0.25));
  EXPECT_EQ(deck.model.nodes[1].position, math::Vec3(3, 0.5, 0));
  EXPECT_EQ(deck.model.nodes[2].position, math::Vec3(3, 1e-3, -2));
  ASSERT_EQ(deck.model.entries.size(), 2u);
  EXPECT_EQ(deck.model.entries[0].number("elements"), 2);
  EXPECT_EQ(deck.model.entries[0].vector("orientation")[2], 1);
}

TEST_F(Include, TablesHaveDecimalCommasBesideSemicolonsAndPrefixes) {
  folder.write("decks/nodes.csv", "name;position.x;position.y;position.2\na;0,5;-1,5e1;2\n");
  const Deck deck = read("include: [{file: nodes.csv, rows: nodes, prefix: left_}]\n");
  ASSERT_EQ(deck.model.nodes.size(), 1u);
  EXPECT_EQ(deck.model.nodes[0].name, "left_a");
  EXPECT_EQ(deck.model.nodes[0].position, math::Vec3(0.5, -15, 2));
}

TEST_F(Include, FaultsOfTablesHaveTheirRow) {
  const auto of_nodes = [&](const std::string& table) {
    folder.write("decks/nodes.csv", table);
    return refusal("include: [{file: nodes.csv, rows: nodes}]\n");
  };
  for (const auto& [table, message] : {
           std::pair("x,y,z\n0,0,0\n", "decks/nodes.csv:1:1: nodes: the head of the first column is 'name'"),
           std::pair("", "decks/nodes.csv:1:1: nodes: the table is empty"),
           std::pair("name,x,y,z\na,0,,0\n", "decks/nodes.csv:2:1: nodes: 'z' has no value before this one"),
           std::pair("name,x,y,z\na,0,0,0\n,1,1,1\n", "decks/nodes.csv:3:1: nodes: a row without a name"),
           std::pair("name,x,y,z\na,0,0,0,7\n", "decks/nodes.csv:2:1: nodes: 5 cells under 4 heads"),
           std::pair("name,a.b.c\na,0\n", "nodes: column 2: 'a.b.c' is neither a key nor a component of one"),
           std::pair("name,x,y,z,mass\na,0,0,0,1\n", "decks/nodes.csv:2:1: nodes.a.mass: `mass` belongs to"),
           std::pair("name,x,y,z,fixed\na,0,0,0,[x\n", "decks/nodes.csv:2:1: nodes: cell '[x'"),
           std::pair("name,x,y,z\na,0,0,0\na,1,0,0\n", "decks/nodes.csv:3:1: nodes.a: "),
           std::pair("name,x,y,z,fi\xffxed\na,0,0,0,1\n", "decks/nodes.csv:1:1: nodes: this is not UTF-8 text; save"),
           std::pair("name,x,y,z\na,0,0,=\x01\n", "decks/nodes.csv:2:1: nodes: "),
           std::pair("name,x,y,z\na,0,0,zero\n", "decks/nodes.csv:2:1: nodes.a.position"),
       })
    EXPECT_TRUE(support::contains(of_nodes(table), message)) << of_nodes(table);
  // All of a row is at one place, where one finding may silence others.
  folder.write("decks/parts.csv", "name,prat,at.x,at.y,at.z\na,bead,=p[7],0,0\n");
  EXPECT_TRUE(contains(refusal("include: [{file: parts.csv, rows: instances}]\nparameters: {p: [1, 2]}\n"
                               "parts: {bead: {nodes: {m: {position: [0, 0, 0]}}}}\n"),
                       "decks/parts.csv:2:1: instances.a"));
  EXPECT_TRUE(contains(refusal("include: [nodes.csv]\n"),
                       "'nodes.csv' is a table: say what its rows are, such as {file: nodes.csv, rows: nodes}"));
  EXPECT_TRUE(contains(refusal("include: [{file: nodes.csv, rows: signals}]\n"), "include.0.rows"));
}

}  // namespace
}  // namespace polhode::io
