package wayback;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * An application that keeps objects in files. Each run reads all that earlier ones have written,
 * prints it, and writes more: {@code Store FOLDER RUN GRAPHS}.
 */
public final class Store {
  private final Path folder;
  private final int run;
  private final int graphs;

  private Store(Path folder, int run, int graphs) {
    this.folder = folder;
    this.run = run;
    this.graphs = graphs;
  }

  public static void main(String[] args) throws Exception {
    Store store = new Store(Path.of(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    for (int earlier = 1; earlier < store.run; earlier++) {
      store.readMany(earlier);
      store.readZipped(earlier);
    }
    if (store.run > 1) {
      store.readJournal();
    }
    store.writeMany();
    store.writeZipped();
    store.appendToJournal();
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  /** A stream for each graph, as in a cache or a table of a database. */
  private void writeMany() throws IOException {
    try (DataOutputStream out = new DataOutputStream(new FileOutputStream("" + file("many" + run)))) {
      for (int i = 0; i < graphs; i++) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(bytes)) {
          objects.writeObject(new Graphs(new Random(run * 100_000L + i)).any());
        }
        out.writeInt(bytes.size());
        bytes.writeTo(out);
      }
    }
  }

  private void readMany(int of) throws Exception {
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file("many" + of)))) {
      for (int i = 0; in.available() > 0; i++) {
        byte[] bytes = in.readNBytes(in.readInt());
        ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(bytes));
        System.out.println(of + "." + i + ": " + Shown.of(objects.readObject()));
      }
    }
  }

  /** Objects, numbers and texts in one stream, which is read until it ends. */
  private void writeZipped() throws IOException {
    try (ObjectOutputStream out =
        new ObjectOutputStream(new GZIPOutputStream(new FileOutputStream("" + file("zip" + run))))) {
      Graphs all = new Graphs(new Random(run));
      for (int i = 0; i < 30; i++) {
        out.writeInt(i);
        out.writeUTF("\u00e4 text " + i);
        out.writeObject(all.any());
        if (i % 7 == 6) {
          out.reset();
        }
        if (i % 5 == 4) {
          out.writeUnshared(all.any());
        }
      }
    }
  }

  private void readZipped(int of) throws Exception {
    try (ObjectInputStream in =
        new ObjectInputStream(new GZIPInputStream(Files.newInputStream(file("zip" + of))))) {
      for (int i = 0; ; i++) {
        System.out.println("zip " + of + ": " + in.readInt() + in.readUTF());
        System.out.println(Shown.of(in.readObject()));
        if (i % 5 == 4) {
          System.out.println(Shown.of(in.readUnshared()));
        }
      }
    } catch (EOFException e) {
      System.out.println("end of zip " + of);
    }
  }

  /** A stream without header, behind what other runs have written. */
  private static final class Appending extends ObjectOutputStream {
    Appending(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void writeStreamHeader() throws IOException {
      reset();
    }
  }

  private void appendToJournal() throws IOException {
    Path journal = file("journal");
    boolean isNew = !Files.exists(journal);
    try (FileOutputStream file = new FileOutputStream("" + journal, true);
        ObjectOutputStream out = isNew ? new ObjectOutputStream(file) : new Appending(file)) {
      Graphs all = new Graphs(new Random(-run));
      for (int i = 0; i < 20; i++) {
        out.writeObject(all.any());
      }
    }
  }

  private void readJournal() throws Exception {
    try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file("journal")))) {
      while (true) {
        System.out.println("journal: " + Shown.of(in.readObject()));
      }
    } catch (EOFException e) {
      System.out.println("end of journal");
    }
  }
}
