package io.karmi.guard;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.Test;

/** Names of absent classes that peers send. */
public class AbsentNamesTest {
  private static final ClassLoader OWN = AbsentNamesTest.class.getClassLoader();
  private static final int MOST = 10_000;

  @Test
  public void classesWithAFileAreFoundAlsoThen() {
    AbsentNames names = full();
    for (String name :
        new String[] {
          Names.class.getName(),
          "java.lang.String",
          "[Ljava.lang.Thread;",
          "[[I",
          "javax.management.ObjectName"
        }) {
      assertThatCode(() -> names.check(name, OWN)).doesNotThrowAnyException();
    }
    assertThatThrownBy(() -> names.check("a.b.C", OWN)).hasMessageContaining("no class file");
    assertThatThrownBy(() -> names.check("[La.b.C;", OWN)).hasMessageContaining("no class file");
  }

  @Test
  public void aNameThatWasAskedForMayBeAskedForAgain() {
    AbsentNames names = new AbsentNames(MOST);
    names.add("made.Later");
    for (int i = 0; i < MOST; i++) {
      names.add("made.Later");
    }
    assertThatCode(() -> names.check("another", OWN)).doesNotThrowAnyException();
    fill(names);
    assertThatCode(() -> names.check("made.Later", OWN)).doesNotThrowAnyException();
  }

  @Test
  public void aDirectoryFindsNoFileByAnotherName() {
    AbsentNames names = full();
    String name = Names.class.getName();
    for (String other : new String[] {name.replace(".guard", "..guard"), "." + name}) {
      assertThatThrownBy(() -> names.check(other, OWN)).hasMessageContaining("no class file");
    }
  }

  @Test
  public void whatOthersAreAskedForCountsToo() throws ClassNotFoundException {
    AbsentNames names = new AbsentNames(MOST);
    names.askedElsewhere("asked.Before", OWN);
    fill(names);
    for (String known : new String[] {"asked.Before", "[[I", "int", "java.util.UUID"}) {
      names.askedElsewhere(known, OWN);
    }
    assertThatThrownBy(() -> names.askedElsewhere("a.b.C", OWN))
        .hasMessageContaining("no class file");
  }

  private static final class Names {}

  private static AbsentNames full() {
    AbsentNames names = new AbsentNames(MOST);
    fill(names);
    return names;
  }

  private static void fill(AbsentNames names) {
    for (int i = 0; i < MOST; i++) {
      names.add("absent" + i);
    }
  }
}
