// SPDX-License-Identifier: BSD-3-Clause
// A run that goes on: the page asks the program that serves it for newer states, and shows the newest unless somebody
// looks at an earlier one.
View.followRun = function () {
  if (!View.document.live) return;
  const ask = async () => {
    try {
      const answer = await fetch(`news?version=${View.document.live}`);
      if (answer.status === 200) await View.takeNews(await answer.json());
    } catch (error) {
      View.show("The program that serves this page has ended; the page shows what it has.", true);
      return;
    }
    setTimeout(ask, 1000);
  };
  setTimeout(ask, 1000);
};

View.takeNews = async function ({ version, runs, blocks }) {
  View.document.live = version;
  const isAtEnd = View.timeline.clock >= View.timeline.duration * 0.999;
  const { chosen } = View;
  const name = chosen && [chosen.kind, chosen.name];
  const followed = View.followed && View.thingOf(View.followed);
  const trails = View.shown.map((run) => run.trails);
  const numbers = View.shown.map((run) => run.number);
  for (const run of View.shown) View.scene.remove(run.group);
  View.shown = [];
  View.nextId = 1;
  View.document.runs = runs;
  for (let k = 0; k < runs.length; ++k) {
    if (View.runs[k]) View.runs[k].dispose();
    View.runs[k] = new View.Run(runs[k], await View.decompress(blocks[k]), k);
  }
  View.chosen = null;
  await View.showRuns(numbers);
  trails.forEach((list, k) => list.forEach(({ node, point }) => View.toggleTrail(View.shown[k], node, point)));
  if (name) View.choose(View.findThing(View.shown[0], ...name));
  if (followed) {
    View.followed = null;
    View.followThing(View.findThing(View.runs[followed.run.number], followed.kind, followed.name));
  }
  if (isAtEnd) View.timeline.set(View.timeline.duration);
};
