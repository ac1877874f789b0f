package members;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * A member of a cluster. The program is {@code Member KIND own-port other-port}; its commands are
 * the lines {@code put}, {@code get KEY}, {@code process KEY}, {@code whole}, {@code alone} and
 * {@code format}, each answered by a line that begins with {@code =}. It ends at once with its
 * standard input, and as programs do with the line {@code exit}.
 */
interface Member {
  /** Keeps a value and returns its key. */
  String put(Value value) throws Exception;

  /** The value under a key, or null. */
  Object get(String key) throws Exception;

  /** Replaces the value under a key by its next one. */
  void process(String key) throws Exception;

  /** Whether both members are there, and each has all it must have, so that one may be lost. */
  boolean isWhole() throws Exception;

  /**
   * Whether the loss of the other member has been noticed. One that comes back earlier may wait for
   * what it asks of its own dead predecessor.
   */
  boolean isAlone() throws Exception;

  /** What the product makes of a value to send it, with the object stream somewhere within. */
  byte[] serialized(Value value) throws Exception;

  /** The program. */
  static void main(String[] args) throws Exception {
    int own = Integer.parseInt(args[1]);
    int other = Integer.parseInt(args[2]);
    Member member =
        switch (args[0]) {
          case "hazelcast" -> new HazelcastMember(own, other);
          case "infinispan" -> new InfinispanMember(own, other);
          case "tomcat" -> new TomcatMember(own, other);
          case "ehcache" -> new EhcacheMember(own, other);
          case "activemq" -> new ActiveMqMember(own);
          default -> throw new IllegalArgumentException(args[0]);
        };
    System.out.println("= ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      if (line.equals("exit")) {
        System.exit(0);
      }
      try {
        System.out.println("= " + answer(member, words));
      } catch (Exception e) {
        e.printStackTrace();
        System.out.println("= threw " + e);
      }
    }
    Runtime.getRuntime().halt(0);
  }

  private static Object answer(Member member, String... words) throws Exception {
    return switch (words[0]) {
      case "put" -> member.put(new Value("value", 1));
      case "get" -> member.get(words[1]);
      case "process" -> {
        member.process(words[1]);
        yield "done";
      }
      case "whole" -> member.isWhole();
      case "alone" -> member.isAlone();
      case "format" -> format(member.serialized(new Value("value", 1)));
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  /** The kind of the first object stream that begins in these bytes. */
  private static String format(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int jdk = text.indexOf("\u00ac\u00ed\u0000\u0005");
    int uka = text.indexOf("UKA");
    if (jdk < 0 && uka < 0) {
      return "none";
    }
    return jdk < 0 || uka >= 0 && uka < jdk ? "uka" : "jdk";
  }
}
