package corpus;

import corpus.Interfaces.Broad;
import corpus.Interfaces.Clashing;
import corpus.Interfaces.Dollar$;
import corpus.Interfaces.Hidden;
import corpus.Interfaces.Holder;
import corpus.Interfaces.Kinds;
import corpus.Interfaces.Later;
import corpus.Interfaces.Narrow;
import corpus.Interfaces.Point;
import corpus.Interfaces.Rows;
import corpus.Interfaces.Throwing;
import corpus.Interfaces.Words;
import java.rmi.Remote;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;

/** Calls every method of every object, and prints what comes. */
public final class Client {
  private static Registry registry;

  private Client() {}

  @SuppressWarnings("unchecked")
  private static <T extends Remote> T find(String name) throws Exception {
    Remote stub = registry.lookup(name);
    if (System.getProperty("corpus.stubs") != null) {
      System.err.println(stub.getClass().getName());
    }
    return (T) stub;
  }

  private static void say(String what, Callable<?> call) {
    String result;
    try {
      Object value = call.call();
      result = Arrays.deepToString(new Object[] {value});
    } catch (Throwable e) {
      StringBuilder text = new StringBuilder();
      for (Throwable each = e; each != null; each = each.getCause()) {
        text.append(each.getClass().getName());
        if (!(each instanceof java.rmi.RemoteException)) {
          text.append(' ').append(each.getMessage());
        }
        text.append("; ");
      }
      result = text.toString();
    }
    System.out.println(what + ": " + result);
  }

  /** Calls the registry at a port of this machine. */
  public static void main(String[] args) throws Exception {
    registry = Rmi.getRegistry(Integer.parseInt(args[0]));
    words();
    rows();
    kinds();
    others();
    clashing();
    exceptions();
    System.exit(0);
  }

  private static void words() throws Exception {
    Words words = find("WordsObject");
    Holder<String, ?> holder = words;
    say("get", words::get);
    say("bridged get", holder::get);
    holder.put("second");
    words.put("third");
    say("swap", () -> words.swap("fourth", new ArrayList<>(List.of("a", "b"))));
    say("get", words::get);
    say("all", () -> words.all(new String[] {"x", null}));
    say("largest", () -> words.largest(new ArrayList<>(List.of(3, 9, 4)), "beside"));
    say("grouped", () -> words.grouped(2));
    say("twice", () -> words.twice("ab"));
    words.put(null);
    say("get nothing", words::get);
    @SuppressWarnings({"rawtypes", "unchecked"})
    Callable<Object> wrong =
        () -> {
          ((Holder) words).put(1);
          return null;
        };
    try {
      wrong.call();
      System.out.println("put a number: done");
    } catch (Exception e) {
      System.out.println("put a number: refused");
    }
  }

  private static void rows() throws Exception {
    Rows rows = find("RowsObject");
    say("rows get", rows::get);
    rows.put(new int[2]);
    say("rows swap", () -> rows.swap(new int[3], new ArrayList<>(List.of(1, 2))));
    say("rows all", () -> rows.all(new int[][] {{1}, null}));
    say("rows largest", () -> rows.largest(List.of("a", "b"), new int[] {1}));
    say("rows grouped", () -> rows.grouped(0));
    say("rows middle", () -> rows.middle(new int[] {7}));
  }

  private static void kinds() throws Exception {
    Kinds kinds = find("Several");
    say("boolean", () -> kinds.of(true));
    say("byte", () -> kinds.of(Byte.MAX_VALUE));
    say("char", () -> (int) kinds.of('\uFFFE'));
    say("short", () -> kinds.of(Short.MAX_VALUE));
    say("int", () -> kinds.of(1));
    say("long", () -> kinds.of(1L << 40));
    say("float", () -> kinds.of(1.5f));
    say("double", () -> kinds.of(1.25));
    say("Integer", () -> kinds.of(Integer.valueOf(1)));
    say("null", () -> kinds.of((Integer) null));
    say("String", () -> kinds.of("a"));
    say("null String", () -> kinds.of((String) null));
    say("Object", () -> kinds.of(List.of("a")));
    say("varargs", () -> kinds.of(1, "a", 2, null));
    say("no varargs", () -> kinds.of(1, new Object[0]));
    say("booleans", () -> kinds.of(true, false));
    say(
        "arrays",
        () ->
            kinds.of(
                new long[][] {{1}, {2, 3}},
                new byte[] {1},
                new char[] {'a'},
                new short[] {2},
                new float[] {3},
                new double[] {4}));
    say("points", () -> kinds.points(new Point(1, 2, "a", new Point(3, 4, "b", null)), null));
    kinds.nothing();
    say("names", () -> kinds.toStringOf("abc", 1, 2, 3));
    say("equal", () -> kinds.equals(registry.lookup("Several")));
    say("same hash", () -> kinds.hashCode() == registry.lookup("Several").hashCode());
  }

  private static void others() throws Exception {
    Remote several = find("Several");
    Broad broad = (Broad) several;
    Narrow narrow = (Narrow) several;
    say("broad", broad::value);
    say("narrow", narrow::value);
    say("broad values", broad::values);
    say("narrow values", narrow::values);
    say("hidden", () -> ((Hidden) several).hidden(null));
    say("hidden twice", () -> ((Hidden) several).hidden((Hidden) several));
    say("sign", () -> ((Dollar$) several).sign$("a"));
    say("wide", () -> Wide.call(find("Adding")));
    if (System.getProperty("corpus.rmi").equals("karmi")) {
      Later later = find("LaterObject");
      say("later", () -> later.later("word").get());
      try {
        later.fails().get();
      } catch (ExecutionException e) {
        System.out.println("fails: " + e.getCause());
      }
    } else { // stock RMI cannot send a future
      System.out.println("later: [word later]");
      System.out.println("fails: corpus.Interfaces$Full: later");
    }
  }

  private static void clashing() throws Exception {
    Clashing clashing = find("ClashingObject");
    say("hash code of", () -> clashing.hashCode(1));
    say("to string of", () -> clashing.toString("a"));
    say("equal words", () -> clashing.equals("a", "a"));
    say("wait", () -> clashing.wait("a"));
    say("finalize", () -> clashing.finalize(2));
    say("get ref", () -> clashing.getRef(3));
    say("reference", clashing::reference);
    say("replacement", () -> clashing.replacement("a"));
    say("write replace", () -> clashing.writeReplace(4));
    say("interface names", clashing::interfaceNames);
    say("fingerprint", clashing::FINGERPRINT);
    say("beyond ASCII", () -> clashing.größe(5));
  }

  private static void exceptions() throws Exception {
    Throwing throwing = find("ThrowingObject");
    for (int i = 0; i < 7; i++) {
      int what = i;
      say("declared " + i, () -> call(() -> throwing.declared(what)));
      say("undeclared " + i, () -> call(() -> throwing.undeclared(what)));
      say("anything " + i, () -> call(() -> throwing.anything(what)));
      say("everything " + i, () -> call(() -> throwing.everything(what)));
      say("unchecked " + i, () -> call(() -> throwing.unchecked(what)));
    }
  }

  private interface Call {
    void call() throws Throwable;
  }

  private static Object call(Call call) throws Exception {
    try {
      call.call();
      return null;
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
