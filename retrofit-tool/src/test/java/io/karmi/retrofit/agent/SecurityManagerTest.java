package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Jvm;
import io.karmi.retrofit.kit.Sources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What a program may do under a security manager, which JDKs before 24 have. */
public class SecurityManagerTest {
  private static final String PROGRAM =
      """
      package app;
      import java.io.*;
      import java.util.*;
      public class Main {
        record Point(int x, int y) implements Serializable {}
        static class Custom implements Serializable {
          private final String text = "text";
          private transient int length;
          private void readObject(ObjectInputStream in) throws Exception {
            in.defaultReadObject();
            length = text.length();
            try {
              System.getProperty("user.home");
            } catch (SecurityException e) {
              length = -length; // a hook is permitted no more than its program
            }
          }
          @Override public String toString() { return text + length; }
        }
        static class Plain extends ObjectOutputStream {
          Plain() throws IOException { super(OutputStream.nullOutputStream()); }
        }
        static class Sensitive extends ObjectOutputStream {
          Sensitive() throws IOException { super(OutputStream.nullOutputStream()); }
          @Override public void writeUnshared(Object object) throws IOException {}
        }
        static class Replacing extends ObjectOutputStream {
          Replacing() throws IOException {
            super(OutputStream.nullOutputStream());
            enableReplaceObject(true);
          }
        }
        interface Creation { Object run() throws IOException; }
        public static void main(String[] args) throws Exception {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(List.of(new Point(1, 2), new Custom(), new ArrayList<>(List.of("a"))));
          }
          ByteArrayInputStream source = new ByteArrayInputStream(bytes.toByteArray());
          try (ObjectInputStream in = new ObjectInputStream(source)) {
            System.out.println(in.readObject());
          }
          attempt(Plain::new);
          attempt(Sensitive::new);
          attempt(Replacing::new);
          attempt(() -> new ObjectOutputStream() {});
        }
        static void attempt(Creation creation) throws IOException {
          try {
            System.out.println(creation.run().getClass().getSuperclass().getSimpleName() != null);
          } catch (SecurityException e) {
            System.out.println("refused");
          }
        }
      }
      """;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Before
  public void securityManagersExist() {
    assumeTrue("JDKs before 24 have security managers", Runtime.version().feature() < 24);
  }

  @Test
  public void aProgramThatUsesStreamsNeedsNoMorePermissions() throws Exception {
    agree(PROGRAM, "Point[x=1, y=2]", "text-4", "refused");
  }

  private void agree(String program, String... expected) throws Exception {
    Path root = folder.getRoot().toPath();
    Path classes = Sources.compile(root.resolve("classes"), List.of(), program);
    Path policy = root.resolve("policy");
    Files.writeString(policy, "grant { };\n");
    String manager = "-Djava.security.manager=default";
    String rules = "-Djava.security.policy==" + policy;
    Jvm.Result stock = Jvm.java(manager, rules, "-cp", classes, "app.Main");
    assertThat(stock.out()).as(stock.err()).contains(expected);
    String agent = "-javaagent:" + Jars.karmi(root);
    Jvm.Result ours = Jvm.java(agent, manager, rules, "-cp", classes, "app.Main");
    assertThat(ours.out()).as(ours.err()).isEqualTo(stock.out());
  }
}
