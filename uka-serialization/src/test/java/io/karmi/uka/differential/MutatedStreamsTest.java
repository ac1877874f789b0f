package io.karmi.uka.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.UkaObjectInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInput;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.OptionalDataException;
import java.io.Serializable;
import java.io.WriteAbortedException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.Test;

/**
 * Streams of the JDK, broken one byte at a time: both implementations must make the same of each.
 *
 * <p>Mistakes that the JDK answers with an error of the VM or with a {@code RuntimeException} that
 * only shows where it stumbled may be an {@code IOException} here.
 */
public class MutatedStreamsTest {
  /** A size is as good as any other up to here; beyond, the JDK would allocate it. */
  private static final ObjectInputFilter SMALL_ARRAYS =
      ObjectInputFilter.Config.createFilter("maxarray=100000;maxdepth=100");

  private static final List<String> STUMBLES =
      List.of(
          NullPointerException.class.getName(),
          NegativeArraySizeException.class.getName(),
          ClassCastException.class.getName());

  /** Tokens of what is no object, or none that has been there. */
  private static final byte[] TOKENS = {
    ObjectStreamConstants.TC_NULL,
    ObjectStreamConstants.TC_BLOCKDATA,
    ObjectStreamConstants.TC_ENDBLOCKDATA,
    ObjectStreamConstants.TC_BLOCKDATALONG,
  };

  private interface Opening {
    ObjectInputStream open(InputStream in) throws IOException;
  }

  /** Fields of every type. */
  static class AllFields implements Serializable {
    private static final long serialVersionUID = 1;
    boolean z = true;
    byte b = 1;
    char c = 'c';
    short s = 2;
    int i = 3;
    long j = 4;
    float f = 5;
    double d = 6;
    String text = "text";
    int[] ints = {1, 2, 3};
    Object self = this;
    AllFields none;
  }

  /** Data of its own on two levels. */
  static class Custom extends AllFields {
    private static final long serialVersionUID = 1;
    transient int secret = 7;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeInt(secret);
      out.defaultWriteObject();
      out.writeUTF("more");
      out.writeObject(List.of("optional"));
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      secret = in.readInt();
      in.defaultReadObject();
      in.readUTF();
    }
  }

  /** Writes itself. */
  public static class External implements Externalizable {
    private static final long serialVersionUID = 1;
    int value = 8;

    public External() {}

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(value);
      out.writeObject("external");
      out.writeLong(9);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      value = in.readInt();
      in.readObject();
    }
  }

  enum Colour {
    RED,
    GREEN {}
  }

  record Pair(int number, String text, Object other) implements Serializable {}

  private static byte[] write(Object... objects) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      for (Object object : objects) {
        out.writeObject(object);
      }
      out.writeInt(42);
      out.writeUTF("end");
      out.reset();
      out.writeObject("last");
    }
    return bytes.toByteArray();
  }

  private static byte[] writeAborted() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new ObjectOutputStream(bytes);
    try {
      out.writeObject(new Object[] {"first", new Object()});
    } catch (java.io.NotSerializableException e) {
      out.writeObject("after");
    }
    return bytes.toByteArray();
  }

  static Map<String, byte[]> corpus() throws IOException {
    Map<String, byte[]> corpus = new HashMap<>();
    corpus.put("fields", write(new AllFields()));
    corpus.put("custom", write(new Custom(), new Custom()));
    corpus.put("external", write(new External(), new External()));
    corpus.put("enums", write(Colour.RED, Colour.GREEN, Colour.RED));
    corpus.put("records", write(new Pair(1, "a", new Pair(2, "b", null))));
    corpus.put("arrays", write(new Object[] {new long[2], new String[][] {{"x"}, null}}));
    corpus.put("classes", write(int.class, String.class, Colour.class, int[].class));
    corpus.put("collections", write(new ArrayList<>(List.of(1, "b")), Map.of("k", 'v')));
    corpus.put("map", write(new HashMap<>(Map.of("key", 1L))));
    corpus.put("proxy", write(proxy()));
    corpus.put("aborted", writeAborted());
    return corpus;
  }

  private static Object proxy() {
    return Proxy.newProxyInstance(
        MutatedStreamsTest.class.getClassLoader(),
        new Class<?>[] {Runnable.class, Comparable.class},
        new Handler());
  }

  /** Does nothing. */
  static class Handler implements java.lang.reflect.InvocationHandler, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
      return null;
    }
  }

  /** What a program sees up to the first error that leaves the stream in no defined state. */
  private static List<String> outcome(Opening opening, byte[] bytes) {
    List<String> seen = new ArrayList<>();
    try (ObjectInputStream in = opening.open(new ByteArrayInputStream(bytes))) {
      in.setObjectInputFilter(SMALL_ARRAYS);
      for (int step = 0; step < 6; step++) {
        try {
          seen.add(step == 3 ? readPrimitives(in) : Graph.describe(in.readObject()));
        } catch (OptionalDataException | WriteAbortedException | ClassNotFoundException e) {
          seen.add(describe(e));
        }
      }
    } catch (Throwable e) {
      seen.add(describe(e));
    }
    return seen;
  }

  private static String readPrimitives(ObjectInputStream in) throws IOException {
    return in.available() + " " + in.readInt() + " " + in.readUTF();
  }

  private static String describe(Throwable e) {
    String text = e.getClass().getName();
    if (e instanceof OptionalDataException optional) {
      return text + " " + optional.length + " " + optional.eof;
    }
    String cause = e.getCause() == null ? "" : ", with a cause";
    return e instanceof IOException ? text + ": " + e.getMessage() + cause : text;
  }

  @Test
  public void brokenStreamsMeanTheSameToBothStreams() throws Exception {
    List<String> different = new ArrayList<>();
    for (Map.Entry<String, byte[]> sample : corpus().entrySet()) {
      byte[] good = sample.getValue();
      Random random = new Random(sample.getKey().hashCode());
      for (int at = 0; at < good.length; at += 1 + random.nextInt(5)) {
        for (byte replacement : replacements(good[at], random)) {
          byte[] broken = good.clone();
          broken[at] = replacement;
          compare(sample.getKey() + "[" + at + "]=" + replacement, broken, different);
        }
        compare(sample.getKey() + "[.." + at + "]", Arrays.copyOf(good, at), different);
      }
    }
    assertThat(different).isEmpty();
  }

  @Test
  public void aTokenInFrontOfAnyByteOfACollectionMeansTheSameToBothStreams() throws Exception {
    List<Object> collections =
        List.of(
            new HashMap<>(Map.of("key", 1L)),
            new LinkedHashSet<>(List.of('c')),
            new ArrayList<>(List.of(1, "b")),
            new ArrayDeque<>(List.of("a")),
            new LinkedList<>(List.of("b")),
            new TreeMap<>(Map.of("c", 1)),
            List.of("x", 2));
    List<String> different = new ArrayList<>();
    for (Object collection : collections) {
      byte[] good = write(collection);
      for (int at = Integer.BYTES; at < good.length; at++) {
        for (byte token : TOKENS) {
          byte[] broken = new byte[good.length + 1];
          System.arraycopy(good, 0, broken, 0, at);
          broken[at] = token;
          System.arraycopy(good, at, broken, at + 1, good.length - at);
          compare(collection.getClass() + "[" + at + "]<-" + token, broken, different);
          broken = good.clone();
          broken[at] = token;
          compare(collection.getClass() + "[" + at + "]=" + token, broken, different);
        }
      }
    }
    assertThat(different).isEmpty();
  }

  private static byte[] replacements(byte original, Random random) {
    return new byte[] {
      (byte) (original ^ 1 << random.nextInt(8)), (byte) (0x70 + random.nextInt(0x10)),
    };
  }

  private static void compare(String what, byte[] bytes, List<String> different) {
    List<String> jdk = outcome(ObjectInputStream::new, bytes);
    List<String> ours = outcome(UkaObjectInputStream::new, bytes);
    if (!jdk.equals(ours)
        && !bothFailWhereTheJdkStumbles(jdk, ours)
        && !isRefusedForALevelLeftOut(ours)
        && !isRefusedForASize(ours)) {
      different.add(what + "\n  jdk  " + jdk + "\n  ours " + ours + "\n");
    }
  }

  private static boolean bothFailWhereTheJdkStumbles(List<String> jdk, List<String> ours) {
    int last = jdk.size() - 1;
    return ours.size() == jdk.size()
        && ours.subList(0, last).equals(jdk.subList(0, last))
        && STUMBLES.stream().anyMatch(jdk.get(last)::startsWith)
        && ours.get(last).startsWith("java.io.");
  }

  /** Decision 72: a description with some of the platform's levels has all with a readObject. */
  private static boolean isRefusedForALevelLeftOut(List<String> ours) {
    return ours.get(ours.size() - 1).contains("the stream's description leaves out java.");
  }

  /** A size for which a collection would allocate is believed as far as bytes have come. */
  private static boolean isRefusedForASize(List<String> ours) {
    return ours.get(ours.size() - 1).endsWith(" elements are said to follow, and do not");
  }
}
