import { describe, expect, it } from 'vitest';
import { isTestFile, testSubject } from '../../../../src/shared/languages/test-files.ts';

describe('test files', () => {
  it('are known by their place or name', () => {
    const tests = [
      'test/a.ts',
      'src/__tests__/a.ts',
      'a.test.ts',
      'a_test.go',
      'pkg/test_a.py',
      'conftest.py',
      'a.spec.js',
      'src/test/java/org/Helper.java',
      'src/main/java/org/ClientTest.java',
      'app/src/androidTest/kotlin/Screen.kt',
      'Api.Tests/Client.cs',
      'ClientTests.cs',
      'Tests/AppTests/Helper.swift',
      'AppTests.swift',
      'tests/it.rs',
      'src/parser/tests.rs',
      'spec/client_spec.rb',
      'test/test_helper.exs',
      'ClientTest.php',
      'net_unittest.cc',
      'any.test.fake',
    ];
    for (const name of tests) expect([name, isTestFile(name)]).toEqual([name, true]);
  });

  it('are not everything with the word in it', () => {
    const others = [
      'src/latest/a.ts',
      'src/contest.ts',
      'testing.ts',
      'attest_a.py',
      'Latest.java',
      'src/main/java/org/test/Api.java',
      'pkg/client.test.go',
      'src/testing/util.ts',
      'Contest.kt',
      'detest.rb',
      'src/test-files.ts',
    ];
    for (const name of others) expect([name, isTestFile(name)]).toEqual([name, false]);
  });

  it('say by their name what they are about', () => {
    expect(testSubject('src/client.test.ts')).toBe('client');
    expect(testSubject('pkg/test_client.py')).toBe('client');
    expect(testSubject('pkg/client_test.py')).toBe('client');
    expect(testSubject('org/ClientTest.java')).toBe('Client');
    expect(testSubject('conftest.py')).toBe('');
    expect(testSubject('src/client.ts')).toBeUndefined();
  });

  it('follow the conventions of the language that is said to be theirs', () => {
    expect(isTestFile('client.test.inc', 'php')).toBe(true);
    expect(isTestFile('client.test.ts', 'go')).toBe(false);
  });
});
