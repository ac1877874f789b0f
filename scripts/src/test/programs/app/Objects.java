package app;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes and reads objects of every kind that needs care, and prints what arrives. */
public class Objects {
  enum Colour { RED, GREEN { @Override String word() { return "grass"; } }; String word() { return "?"; } }

  record Pair(String name, int[] numbers) implements Serializable {}

  static class Base { final String origin = "constructed"; }

  static class Account extends Base implements Serializable {
    private final long id;
    private final List<String> owners;
    private transient int cached = 7;
    private Colour colour = Colour.GREEN;
    private Account other;

    Account(long id, String... owners) {
      this.id = id;
      this.owners = new ArrayList<>(Arrays.asList(owners));
    }

    @Override public String toString() {
      return "account " + id + " of " + owners + ", " + colour + " " + colour.word() + ", cached " + cached
          + ", origin " + origin + ", other " + (other == null ? "none" : other.id);
    }
  }

  static class Custom implements Serializable {
    private transient String secret = "plain";

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeUTF(new StringBuilder(secret).reverse().toString());
      out.writeObject(secret.length());
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      secret = in.readUTF() + "/" + in.readObject();
    }
  }

  static class Single implements Serializable {
    static final Single INSTANCE = new Single();
    private Object readResolve() { return INSTANCE; }
  }

  static class Tracing extends ObjectOutputStream {
    Tracing(ByteArrayOutputStream out) throws IOException { super(out); enableReplaceObject(true); }
    @Override protected Object replaceObject(Object o) { return o instanceof StringBuilder ? o.toString() : o; }
  }

  public static void main(String[] args) throws Exception {
    Account a = new Account(1, "Ada", "Grace");
    Account b = new Account(2);
    a.other = b;
    b.other = a;
    Map<String, Object> all = new TreeMap<>();
    all.put("accounts", new Account[] {a, b, a});
    all.put("pair", new Pair("p", new int[] {1, 2, 3}));
    all.put("custom", new Custom());
    all.put("single", Single.INSTANCE);
    all.put("map", new HashMap<>(Map.of("k", 3.5)));
    all.put("builder", new StringBuilder("replaced"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new Tracing(bytes)) {
      out.writeInt(42);
      out.writeObject(all);
      out.writeObject("tail");
    }
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      System.out.println(in.readInt());
      Map<?, ?> copy = (Map<?, ?>) in.readObject();
      Account[] accounts = (Account[]) copy.get("accounts");
      System.out.println(Arrays.toString(accounts));
      System.out.println("same " + (accounts[0] == accounts[2]) + ", cycle " + (accounts[0].other.other == accounts[0]));
      System.out.println(((Pair) copy.get("pair")).name() + Arrays.toString(((Pair) copy.get("pair")).numbers()));
      System.out.println(((Custom) copy.get("custom")).secret);
      System.out.println("single " + (copy.get("single") == Single.INSTANCE));
      System.out.println(copy.get("map") + " " + copy.get("builder") + " " + in.readObject());
    }
    try {
      new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(new Object());
    } catch (IOException e) {
      System.out.println(e.getClass().getName() + " " + e.getMessage());
    }
  }
}
