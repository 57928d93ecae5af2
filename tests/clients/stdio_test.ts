/** The official clients launch `examples/stdio.ts` as hosts do, and complete its flows in both eras. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import process from "node:process";
import { describe, test } from "node:test";
import { clients, complete, person } from "./stdio_people.ts";

const file = "examples/stdio.ts";

/** Whether a process of this id exists. */
const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("hosts", () => {
  for (const [client, revision, connect] of clients) {
    test(`layerStdio: completes all examples with ${client}, and ends when the host closes`, async () => {
      const host = await connect(file, person("Ada"));
      try {
        assertEquals(host.revision, revision);
        await complete(host, "Ada");
      } finally {
        await host.close();
      }
      assertEquals(alive(host.pid), false);
    });

    test(`layerStdio: ends calls as declines and cancels say with ${client}`, async () => {
      for (const action of ["decline", "cancel"] as const) {
        const host = await connect(file, { ...person("Ada"), elicit: () => ({ action }) });
        try {
          assertEquals(await host.call("refund", { order: "A-1", amount: 10 }), "Nothing was refunded.");
          const text = await host.call("whoami");
          assertStringIncludes(text, "error: ");
          assertStringIncludes(text, action === "decline" ? "declined" : "cancelled");
          assertEquals(host.asked.length, 2);
        } finally {
          await host.close();
        }
      }
    });
  }

  for (const [client, , connect] of clients) {
    test(`layerStdio: sends the user to a page that is served beside, with ${client}`, async () => {
      const fill = async (url: string, user: string, passphrase: string): Promise<number> => {
        const body = new URLSearchParams({ user, passphrase, account: "ada@example.com" });
        const response = await fetch(url, { method: "POST", body });
        await response.body?.cancel();
        return response.status;
      };
      const host = await connect("--allow-net=127.0.0.1 examples/stdio_connect.ts", {
        ...person("Ada"),
        elicit: async ({ mode, url = "" }) => {
          assertEquals(mode, "url");
          assertEquals(await fill(url, "bob", "stepped reckoner"), 403);
          assertEquals(await fill(url, "ada", "difference engine"), 200);
          return { action: "accept" };
        },
      });
      try {
        assertEquals(await host.call("connect"), "ada@example.com is connected for ada.");
        assertEquals(host.asked, ["elicitation/create"]);
      } finally {
        await host.close();
      }
      assertEquals(alive(host.pid), false);
    });
  }

  test("layerStdio: keeps many hosts apart, each with a process of its own", async () => {
    const hosts = await Promise.all(clients.map(async ([, , connect], index) => {
      const name = `user ${index}`;
      return [name, await connect(file, person(name))] as const;
    }));
    try {
      await Promise.all(hosts.map(([name, host]) => complete(host, name)));
    } finally {
      await Promise.all(hosts.map(([, host]) => host.close()));
    }
  });
});
